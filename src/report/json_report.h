// SPDX-License-Identifier: Apache-2.0
// The report as JSON, for programs: everything that was computed, whatever a report for people shows of it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

// Behind "format" and "version". What was not measured is null.
nlohmann::ordered_json json_report(const analysis::FileAnalysis& analysis);

// The words that its readers need (vocabulary.cpp).
nlohmann::ordered_json json_vocabulary();

}  // namespace breakeven::report
