// SPDX-License-Identifier: Apache-2.0
// One run's recorded series, reduced over ranks: the ranks train together, so a step lasts as long as it does
// on the rank where it lasts longest; or, where none waits for the others in every step, as long as it does
// on average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::analysis {

// Every rank has written its numbers.
bool is_done(const RecordedRun& run);

// Left out, since its case was precise enough before.
bool is_needless(const RecordedRun& run);

// Measured steps; fewer than planned where a quality was reached before.
std::uint32_t steps_made(const RecordedRun& run);

// Steps to the quality that the launch asked for, from the first warm-up step on; NaN where it was not
// reached, or where the ranks disagree.
double steps_to_quality(const RecordedRun& run);

// [step]: the longest of all ranks' seconds at Phase::step, their mean where the strategy does not keep the
// ranks in step (StrategyTraits). NaN where any rank's is, or where a rank of the
// case is missing from the run.
std::vector<double> step_series(const RecordedRun& run);

// [step]: what the rank did itself: its step less its wait for the others, where that was measured. In a
// synchronous exchange the fast ranks wait for the slow one, so that the whole step is slow on all of them.
std::vector<double> own_seconds(const RunRecord& rank);

// Steps above slow_step_limit(), and in how many of them every rank was slow of itself: above its own limit
// in the step less its wait for the others, where the wait was measured. Shares are of all steps.
struct SlowSteps {
  double all_ranks_share = 0;
  double some_ranks_share = 0;
};
SlowSteps find_slow_steps(const RecordedRun& run);

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
