// SPDX-License-Identifier: Apache-2.0
// Why two files have no case to compare.
#pragma once

#include <string>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

// One sentence that names the axes on which the files have no value in common. Call it where compare_files()
// finds nothing.
std::string why_no_common_case(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after);

}  // namespace breakeven::report
