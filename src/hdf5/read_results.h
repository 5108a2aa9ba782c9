// SPDX-License-Identifier: Apache-2.0
// Reads results files as a whole.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::hdf5 {

// Throws Failure(file) with one sentence where the file cannot be read or is not a results file.
Results read_results(const std::string& path);

// Joins results files of one machine, as if each had been appended to the first. Runs are numbered anew, in
// the order of the files. Throws Failure(usage) where the files come from different devices, or hold the same
// launch twice, which would count as evidence twice.
Results as_one(std::vector<Results> files);

// Reads at least one file and joins them.
Results read_all_results(const std::vector<std::string>& paths);

}  // namespace breakeven::hdf5
