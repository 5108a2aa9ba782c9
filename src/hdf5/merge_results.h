// SPDX-License-Identifier: Apache-2.0
// Merges several results files into one, as if their launches had been appended one after another.
#pragma once

#include <string>
#include <vector>

namespace breakeven::hdf5 {

// Writes what read_all_results() returns, without launches that have no run. `to` must not exist. Throws
// Failure with one sentence.
void merge_results(const std::vector<std::string>& from, const std::string& to);

}  // namespace breakeven::hdf5
