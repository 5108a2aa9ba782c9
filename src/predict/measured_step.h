// SPDX-License-Identifier: Apache-2.0
// A step as predictions know it: by its global batch. A batch that weak scaling made larger is trained like
// the same batch of strong scaling.
#pragma once

#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::predict {

// The same step as a case of strong scaling.
Case with_global_batch(Case what);

bool has_step_time(const analysis::MeasuredCase& measured);

// This very case, else one of another scaling with the same step; null: not measured.
const analysis::MeasuredCase* find_measured(const Case& what,
                                            const std::vector<analysis::MeasuredCase>& cases);

}  // namespace breakeven::predict
