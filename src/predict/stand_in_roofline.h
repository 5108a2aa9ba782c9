// SPDX-License-Identifier: Apache-2.0
// Roofline for files of launches that measured none.
#pragma once

#include <vector>

#include "src/analysis/comparison.h"
#include "src/core/records/roofline.h"

namespace breakeven {

// The most that any whole step on one GPU did a second, as if it had done nothing else: bytes, flops by
// precision; and the shortest step a layer and pass as the time of a node. They are lower than true ceilings;
// the fit's factors make up for that on the cases that they are fitted to. NaN for what no case says.
Roofline stand_in_roofline(const std::vector<analysis::MeasuredCase>& cases);

}  // namespace breakeven
