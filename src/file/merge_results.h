// SPDX-License-Identifier: Apache-2.0
// Several results files become one, as if their launches had been appended to it one after another.
#pragma once

#include <string>
#include <vector>

namespace breakeven {

// In the order of `from`; launches without a run are left out. `to` must not exist. Every number is read with
// its checksum. Throws Failure(file) with one sentence.
void merge_results(const std::vector<std::string>& from, const std::string& to);

}  // namespace breakeven
