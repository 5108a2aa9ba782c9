// SPDX-License-Identifier: Apache-2.0
// What to read before trusting advice.
#pragma once

#include <string>
#include <vector>

#include "src/predict/advisor.h"

namespace breakeven::report {

// Precisions that the file lacks, a batch or a size beyond those measured, and the report's warnings.
std::vector<std::string> advice_warnings(const predict::Advisor& advisor, const analysis::FileAnalysis& file,
                                         const predict::Query& query, const predict::Configuration& fastest);

}  // namespace breakeven::report
