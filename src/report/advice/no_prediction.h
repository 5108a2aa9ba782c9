// SPDX-License-Identifier: Apache-2.0
// What a query asks for that the file does not have: what to measure, and what to read before trusting the
// answer.
#pragma once

#include <string>
#include <vector>

#include "src/predict/advisor.h"

namespace breakeven::report {

// "The file has only bf16, not fp32. ..."; "" where it has all precisions asked for.
std::string missing_precisions_in_words(const Results& results, const predict::Query& query);

// Why no case of the query can be predicted, and what to measure.
std::string why_no_prediction(const analysis::FileAnalysis& file, const predict::Query& query);

// Precisions that the file lacks, a batch or a size beyond those measured, and the report's warnings.
std::vector<std::string> advice_warnings(const predict::Advisor& advisor, const analysis::FileAnalysis& file,
                                         const predict::Query& query, const predict::Configuration& fastest);

}  // namespace breakeven::report
