// SPDX-License-Identifier: Apache-2.0
// Reduces a case's memory, telemetry, first-use cost and clocks over its runs and ranks.
#pragma once

#include "src/analysis/case_summary.h"

namespace breakeven::analysis {

// Both read `what`, `done`, `steps` and `step` of the summary. A value that one rank of one run lacks is not
// measured for the case, but for energy, which short runs do not have.
Readings summarize_readings(const CaseSummary& summary);
Steadiness summarize_steadiness(const CaseSummary& summary);

// How many updates of others came between an update's fetch and itself, over the steps that were made; not
// measured where no update is stale.
struct Staleness {
  double mean = not_measured;
  double highest = not_measured;
};
constexpr std::size_t all_ranks = static_cast<std::size_t>(-1);
Staleness staleness_of(const std::vector<const RecordedRun*>& runs, std::size_t rank = all_ranks);

// Of its transport and GPUs; mean over the runs done, of their launches. Not measured for a case that
// exchanges nothing, nor in older files, where it is part of the set-up.
double connect_seconds(const CaseSummary& summary, const Results& results);

// Connecting, set-up and first step, of the slowest rank.
double start_up_seconds(const CaseSummary& summary, const Results& results);

}  // namespace breakeven::analysis
