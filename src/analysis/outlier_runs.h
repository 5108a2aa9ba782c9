// SPDX-License-Identifier: Apache-2.0
// Runs that stand apart from the others of their case, and whose doing it was.
#pragma once

#include <cstddef>
#include <span>

#include "src/core/records/results.h"

namespace breakeven::analysis {

// Modified Z-scores beyond 3.5 (outliers.h) among the means of the runs. On all ranks: every rank's own time
// (own_seconds) is beyond 3.5 among that rank's own times; otherwise some ranks made the run what it was.
// Runs of `total` have no wait: there, whoever waited counts like who was waited for.
struct OutlierRuns {
  std::size_t count = 0;
  std::size_t on_all_ranks = 0;
};

// `run_means` are of the runs, in their order; all have the same ranks, or nothing is said of ranks.
OutlierRuns find_outlier_runs(std::span<const RecordedRun* const> runs, std::span<const double> run_means);

}  // namespace breakeven::analysis
