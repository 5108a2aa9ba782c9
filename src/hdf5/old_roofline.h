// SPDX-License-Identifier: Apache-2.0
// Older files, without the dimension `product_precision`, have one variable for the rate of each precision:
// PRECISION_flops_per_second[launch, rank].
#pragma once

#include <span>

#include "src/core/records/roofline.h"
#include "src/hdf5/layout.h"

namespace breakeven::hdf5 {

// Reads the rates of one launch's ranks. Rates that the file does not have keep their values.
void read_old_rates(hid_t file, hsize_t launch, std::span<Roofline> ranks);

// Moves the rates of such a file with these extents into `flops_per_second`. The old variables are removed,
// because they would not grow with their dimensions.
void move_old_rates(hid_t file, const Extents& extents);

}  // namespace breakeven::hdf5
