// SPDX-License-Identifier: Apache-2.0
// Several results files become one, as if their launches had been appended to it one after another.
#pragma once

#include <string>
#include <vector>

namespace breakeven {

// What read_all_results() gives, as a file; launches without a run are left out. `to` must not exist. Throws
// Failure with one sentence.
void merge_results(const std::vector<std::string>& from, const std::string& to);

}  // namespace breakeven
