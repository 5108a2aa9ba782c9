// SPDX-License-Identifier: Apache-2.0
// Several results files of one machine as one: the launches of all, as if each had been appended to the
// first.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven {

// Runs are numbered anew, in the order of the files. Throws Failure(usage) where the files are of different
// devices, or hold the same launch twice, which would count as evidence twice.
Results as_one(std::vector<Results> files);

// read_results() of each, as one. At least one path.
Results read_all_results(const std::vector<std::string>& paths);

}  // namespace breakeven
