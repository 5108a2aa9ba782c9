// SPDX-License-Identifier: Apache-2.0
// A job before a deadline, in words.
#pragma once

#include <string>
#include <vector>

#include "src/predict/job.h"

namespace breakeven::report {

// Which configuration is the cheapest that meets the deadline; where none surely does, what would have to
// change. "" where there is no deadline.
std::string deadline_in_words(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job,
                              const predict::Query& query, const predict::Advisor& advisor);

}  // namespace breakeven::report
