// SPDX-License-Identifier: Apache-2.0
// A job of so many samples by every way: how long, at what cost, and whether before the deadline.
#pragma once

#include "src/predict/job.h"
#include "src/report/table.h"

namespace breakeven {

ReportTable job_table(const std::vector<JobEstimate>& jobs, const Job& job);

// Which way is the cheapest that meets the deadline; where none surely does, what would have to change.
std::string deadline_in_words(const std::vector<JobEstimate>& jobs, const Job& job, const Query& query,
                              const Advisor& advisor);

}  // namespace breakeven
