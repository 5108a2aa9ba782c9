// SPDX-License-Identifier: Apache-2.0
// How long a step of a case takes: how long on average, how smoothly, and how sure that is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "src/core/records/results.h"
#include "src/statistics/interval.h"
#include "src/statistics/sampling_unit.h"
#include "src/statistics/steady_state.h"

namespace breakeven::analysis {

// One run's steps over all ranks (step_series). The ones that are used are the steady ones: all, unless the
// run shows a warm-up that went on after its warm-up steps.
struct StepSeries {
  std::vector<double> seconds;
  SteadyState steady;
  double effective_steps = not_measured;  // of the used ones (effective_sample_size)
  std::span<const double> used() const { return std::span(seconds).subspan(steady.first); }
};
StepSeries series_of(std::vector<double> step_seconds);

// Of the used steps of all runs, unless said otherwise. Intervals are by `unit`.
struct StepTimes {
  std::vector<StepSeries> runs;   // [done run]
  std::vector<double> run_means;  // [done run] seconds
  SamplingUnit unit = SamplingUnit::none;
  double mean_seconds = not_measured;  // total seconds / total steps
  Interval interval;                   // of the units' means
  Interval median;                     // of all steps of all runs, as are the next two
  Interval p95;
  Interval p99;
  double samples_per_second = not_measured;
  double whole_mean_seconds = not_measured;  // of all steps, those set aside too
  double effective_steps = not_measured;     // summed over runs
  std::size_t set_aside_steps = 0;
  std::size_t judged_runs = 0;  // long enough to tell whether they become steady
  std::size_t late_warmup_runs = 0;
  std::size_t not_steady_runs = 0;  // all of their steps are used
  std::size_t mser_disagrees_runs = 0;
};

// `samples_a_step` over all GPUs.
StepTimes summarize_steps(const std::vector<const RecordedRun*>& done, double samples_a_step);

}  // namespace breakeven::analysis
