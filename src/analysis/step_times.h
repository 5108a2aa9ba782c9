// SPDX-License-Identifier: Apache-2.0
// The time of a step. Of one run it is reduced over the ranks, which train together: a step lasts as long as
// on the slowest rank, or, where ranks do not wait for each other in every step, as long as on average. Of a
// case it is reduced over the runs, with its interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/core/records/results.h"
#include "src/statistics/interval.h"
#include "src/statistics/steady_state.h"

namespace breakeven::analysis {

// Every rank has written its numbers.
bool is_done(const RecordedRun& run);

// Left out, since its case had reached --target-ci.
bool is_needless(const RecordedRun& run);

// Measured steps; fewer than planned where a quality was reached before.
std::uint32_t steps_made(const RecordedRun& run);
std::uint64_t trained_steps(const RecordedRun& run);  // for which they stand

// Steps to the quality that the launch asked for, from the first warm-up step on; NaN where it was not
// reached, or where the ranks disagree.
double steps_to_quality(const RecordedRun& run);

// [step]: the longest of all ranks' seconds at Phase::step, their mean where the strategy does not keep the
// ranks in step (StrategyTraits). NaN where any rank's is, or where a rank of the case is missing.
std::vector<double> step_series(const RecordedRun& run);

// [step]: the rank's own work: its step less its wait for the others, where that was measured. In a
// synchronous exchange the fast ranks wait for the slow one, so the whole step is slow on all of them.
std::vector<double> own_seconds(const RunRecord& rank);

// Steps above slow_step_limit(). `all_ranks`: the own work of every rank (own_seconds) is above that rank's
// limit. Shares are of all steps.
struct SlowSteps {
  double all_ranks_share = 0;
  double some_ranks_share = 0;
};
SlowSteps find_slow_steps(const RecordedRun& run);

// Modified Z-scores beyond 3.5 (outliers.h) among the means of the runs. On all ranks: the mean own work of
// every rank (own_seconds) is beyond 3.5 among that rank's; otherwise some ranks caused it. Runs with
// `--timing steps` record no wait, so a rank that waited counts like the one it waited for.
struct OutlierRuns {
  std::size_t count = 0;
  std::size_t on_all_ranks = 0;
};

// `run_means` are of the runs, in their order. `on_all_ranks` is 0 if the runs have different ranks. Nothing
// where there are fewer runs than `fewest_for_outliers`.
std::optional<OutlierRuns> find_outlier_runs(std::span<const RecordedRun* const> runs,
                                             std::span<const double> run_means);

// One run's steps over all ranks (step_series). The steady ones are used: all, unless warming up went on
// after the warm-up steps.
struct StepSeries {
  std::vector<double> seconds;
  statistics::SteadyState steady;
  double effective_steps = not_measured;  // of the used ones (effective_sample_size)
  std::span<const double> used() const { return std::span(seconds).subspan(steady.first); }
};
StepSeries series_of(std::vector<double> step_seconds);

// Of the used steps of all runs, unless said otherwise. Intervals are by `unit`.
struct StepTimes {
  std::vector<StepSeries> runs;   // [done run]
  std::vector<double> run_means;  // [done run] seconds
  statistics::SamplingUnit unit = statistics::SamplingUnit::none;
  double mean_seconds = not_measured;  // total seconds / total steps
  statistics::Interval interval;       // of the units' means
  statistics::Interval median;         // of all steps of all runs, as are the next two
  statistics::Interval p95;
  statistics::Interval p99;
  double samples_per_second = not_measured;
  double whole_mean_seconds = not_measured;  // of all steps, those set aside too
  double effective_steps = not_measured;     // summed over runs
  std::size_t set_aside_steps = 0;
  std::size_t judged_runs = 0;  // with enough records to tell whether they are steady
  std::size_t late_warmup_runs = 0;
  std::size_t not_steady_runs = 0;  // all of their steps are used
  std::size_t mser_disagrees_runs = 0;

  // `mean_seconds` with the bounds and the units of `interval`.
  statistics::Interval seconds() const { return {mean_seconds, interval.low, interval.high, interval.n}; }
};

// `samples_a_step` over all GPUs.
StepTimes summarize_steps(const std::vector<const RecordedRun*>& done, double samples_a_step);

}  // namespace breakeven::analysis
