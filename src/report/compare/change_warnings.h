// SPDX-License-Identifier: Apache-2.0
// What a reader of a comparison must know before trusting it: other machines, other settling, too few
// launches, cases of one file alone; and why two files have no case to compare.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/case_change.h"
#include "src/analysis/file_analysis.h"
#include "src/report/words/launch_facts.h"

namespace breakeven::report {

// One sentence each.
std::vector<std::string> change_warnings(const std::vector<analysis::CaseChange>& changes,
                                         const std::vector<LaunchDifference>& differences,
                                         const analysis::FileAnalysis& before,
                                         const analysis::FileAnalysis& after);

// One sentence that names the axes on which the files have no value in common. Call it where compare_files()
// finds nothing.
std::string why_no_common_case(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after);

}  // namespace breakeven::report
