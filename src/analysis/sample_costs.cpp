// SPDX-License-Identifier: Apache-2.0
// By the formulas of `breakeven advise` (break_even_cost.h). docs/report.md has them.
#include "src/analysis/sample_costs.h"

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/break_even_cost.h"

namespace breakeven::analysis {

SampleCosts costs_of(const CaseSummary& summary) {
  const Interval step{summary.step.mean_seconds, summary.step.interval.low, summary.step.interval.high};
  return {times(step, summary.what.gpus / samples_a_step(summary.what)), summary.readings.energy,
          summary.done.size()};
}

CostGains gains_of(const Comparison& comparison) {
  if (comparison.timed == nullptr || comparison.base_timed == nullptr) return {};
  RatioEstimate gpu_hours = comparison.speedup;
  gpu_hours.ratio = gain_in_gpu_hours(gpu_hours.ratio, comparison.timed->what.gpus);
  return {gpu_hours.ratio, decide(gpu_hours),
          quotient(comparison.base_timed->readings.energy.joules, comparison.timed->readings.energy.joules)};
}

}  // namespace breakeven::analysis
