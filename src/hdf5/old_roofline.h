// SPDX-License-Identifier: Apache-2.0
// Files of programs before the dimension `product_precision` have a variable of its own for each precision's
// rate: PRECISION_flops_per_second[launch, rank].
#pragma once

#include <span>

#include "src/core/records/roofline.h"
#include "src/hdf5/layout.h"

namespace breakeven {

// The rates of one launch's ranks; what the file does not have stays as it is.
void read_old_rates(hid_t file, hsize_t launch, std::span<Roofline> ranks);

// Moves the rates of such a file, which had these extents, into `flops_per_second`. A variable that stayed
// behind would not grow with the dimensions that it shares with the others.
void move_old_rates(hid_t file, const Extents& extents);

}  // namespace breakeven
