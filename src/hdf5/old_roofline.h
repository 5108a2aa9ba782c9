// SPDX-License-Identifier: Apache-2.0
// Older files, without the dimension `product_precision`, have one variable for the rate of each precision:
// PRECISION_flops_per_second[launch, rank].
#pragma once

#include <span>
#include <vector>

#include "src/core/records/roofline.h"
#include "src/hdf5/contents.h"

namespace breakeven::hdf5 {

// By precision.
const std::vector<Variable>& old_rate_variables();

// Fills in the rates of one launch's ranks. Rates that the file does not have keep their values.
void read_old_rates(const Contents& contents, hsize_t launch, std::span<Roofline> ranks);

}  // namespace breakeven::hdf5
