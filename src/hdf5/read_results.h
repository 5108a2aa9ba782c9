// SPDX-License-Identifier: Apache-2.0
// Reading a results file as a whole.
#pragma once

#include <string>

#include "src/core/records/results.h"

namespace breakeven {

// Throws Failure(file) with one sentence where the file cannot be read or is not a results file.
Results read_results(const std::string& path);

}  // namespace breakeven
