// SPDX-License-Identifier: Apache-2.0
// What a reader of a comparison must know before trusting it: other machines, other settling, too few
// launches, cases of one file alone.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/case_change.h"
#include "src/analysis/file_analysis.h"
#include "src/report/launch_facts.h"

namespace breakeven::report {

// One sentence each.
std::vector<std::string> change_warnings(const std::vector<analysis::CaseChange>& changes,
                                         const std::vector<LaunchDifference>& differences,
                                         const analysis::FileAnalysis& before,
                                         const analysis::FileAnalysis& after);

}  // namespace breakeven::report
