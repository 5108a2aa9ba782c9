// SPDX-License-Identifier: Apache-2.0
// A job before a deadline, in words.
#pragma once

#include <string>
#include <vector>

#include "src/predict/job.h"

namespace breakeven::report {

// "1e9 samples", "1e9 samples in 2 h".
std::string wanted_in_words(const predict::Job& job);
// "zero1 on 2 GPUs in bf16: 2.50 h (2.31 h–2.72 h), at a cost of 17.5"
std::string in_words(const predict::JobEstimate& job);

// Which configuration is the cheapest that meets the deadline; where none surely does, what would have to
// change. "" where there is no deadline.
std::string deadline_in_words(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job,
                              const predict::Query& query, const predict::Advisor& advisor);

}  // namespace breakeven::report
