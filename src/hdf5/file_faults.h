// SPDX-License-Identifier: Apache-2.0
// What is wrong with a file that another program wrote, for `breakeven check`: one sentence a variable, with
// what it should be.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"
#include "src/hdf5/h5.h"

namespace breakeven::hdf5 {

// Variables of the table (schema.h) that are missing, or have another type, shape or scale.
std::vector<std::string> schema_faults_in(hid_t file);

// Cells that a reader cannot use. The sentence names the first run or launch. Models, strategies, precisions,
// kernels, transports and data placements may be another program's own words.
std::vector<std::string> value_faults_in(const Results& results);

}  // namespace breakeven::hdf5
