// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_costs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/break_even.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {

SampleCosts costs_of(const CaseSummary& summary) {
  return {statistics::times(summary.step.seconds(), summary.what.gpus / samples_a_step(summary.what)),
          summary.readings.energy, summary.done.size()};
}

CostGains gains_of(const Comparison& comparison) {
  if (comparison.timed == nullptr || comparison.base_timed == nullptr) return {};
  statistics::RatioEstimate gpu_hours = comparison.speedup;
  gpu_hours.ratio = statistics::gain_in_gpu_hours(gpu_hours.ratio, comparison.timed->what.gpus);
  return {gpu_hours.ratio, statistics::decide(gpu_hours),
          statistics::quotient(comparison.base_timed->readings.energy.joules,
                               comparison.timed->readings.energy.joules)};
}

MemoryFit fit_memory(const CaseSummary& summary, double limit_bytes) {
  const Readings& readings = summary.readings;
  MemoryFit fit;
  fit.bytes = statistics::highest(std::array{readings.predicted_memory_bytes, readings.peak_memory_bytes});
  fit.bytes_a_row = readings.rows_memory_bytes * summary.what.gpus / summary.what.batch;
  fit.fits = fit.bytes <= limit_bytes;
  const double fixed = fit.bytes - readings.rows_memory_bytes;
  const double rows = std::floor((limit_bytes - fixed) / fit.bytes_a_row);
  if (std::isfinite(rows)) fit.largest_batch = std::max(rows, 0.0) * summary.what.gpus;
  return fit;
}

}  // namespace breakeven::analysis
