// SPDX-License-Identifier: Apache-2.0
// What has become of the planned runs: done, left out, missing.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

std::string runs_in_words(const Results& results);
// Neither done nor left out by --target-ci.
bool is_missing(const RecordedRun& run);
std::vector<std::string> missing_runs(const analysis::FileAnalysis& analysis);  // a sentence for each case
// The planned cases without a measured run, in one sentence; "" where there are none.
std::string unmeasured_cases_in_words(const analysis::FileAnalysis& analysis);
nlohmann::ordered_json runs_as_json(const Results& results);

}  // namespace breakeven::report
