// SPDX-License-Identifier: Apache-2.0
// The whole report for machines, as one JSON object. docs/report.md lists its keys.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/analysis/file_analysis.h"

namespace breakeven {

nlohmann::ordered_json json_report(const analysis::FileAnalysis& analysis);

}  // namespace breakeven
