// SPDX-License-Identifier: Apache-2.0
// Whether the fastest way on more GPUs pays against the fastest single one, by everything that it may be
// judged by: time, GPU-hours, money, length of the job, energy, the purchase of the machines.
#pragma once

#include "src/report/judgement.h"
#include "src/report/table.h"

namespace breakeven {

// A sentence each.
std::vector<std::string> costs_in_words(const Configuration& one, const Configuration& more,
                                        const Advisor& advisor, const Costs& costs);
ReportTable tidy_costs(const Configuration& one, const Configuration& more, const Advisor& advisor,
                       const Costs& costs);

}  // namespace breakeven
