// SPDX-License-Identifier: Apache-2.0
// Cells of a results file that have the right type and shape, but no value that a reader can use.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::hdf5 {

// One sentence for each variable, with the first run or launch and what is legal. Models, strategies,
// precisions, kernels, transports and data placements may be another program's own words.
std::vector<std::string> unknown_values_in(const Results& results);

}  // namespace breakeven::hdf5
