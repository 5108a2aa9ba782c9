// SPDX-License-Identifier: Apache-2.0
// Makes new results files of others.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::hdf5 {

// Writes what read_all_results() returns, without launches that have no run. `to` must not exist. Whoever may
// read all of the files may read it. Throws Failure with one sentence, and then leaves nothing behind.
void merge_results(const std::vector<std::string>& from, const std::string& to);

// Writes what read_whole_parts() returns in the same way, and returns it. `left_out` gets a sentence about
// each damage.
Results repair_results(const std::string& from, const std::string& to, std::vector<std::string>& left_out);

}  // namespace breakeven::hdf5
