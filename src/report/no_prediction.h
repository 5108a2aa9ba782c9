// SPDX-License-Identifier: Apache-2.0
// What a question asks for that a file does not have, and what to measure.
#pragma once

#include <string>

#include "src/predict/configuration.h"

namespace breakeven::report {

// "The file has only bf16, not fp32. ..."; "" where it has all precisions asked for.
std::string missing_precisions_in_words(const Results& results, const predict::Query& query);

// Why no case of the query can be predicted, and what to measure.
std::string why_no_prediction(const Results& results, const predict::Query& query);

}  // namespace breakeven::report
