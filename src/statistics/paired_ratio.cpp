// SPDX-License-Identifier: Apache-2.0
// Blocks to units, units to a ratio.
#include "src/statistics/paired_ratio.h"

#include <cmath>
#include <map>
#include <vector>

#include "src/statistics/batch_means.h"
#include "src/statistics/sample.h"
#include "src/statistics/welch.h"

namespace breakeven {
namespace {

std::vector<double> ratios_of_launches(std::span<const PairedBlock> blocks) {
  std::map<std::uint32_t, std::vector<double>> logs;
  for (const PairedBlock& block : blocks) logs[block.launch].push_back(std::log(block.ratio));
  std::vector<double> ratios;
  for (const auto& [launch, of_launch] : logs) ratios.push_back(std::exp(mean(of_launch)));
  return ratios;
}

std::vector<double> logs_of_batches(std::span<const double> seconds) {
  std::vector<double> logs;
  for (const std::span<const double> batch : batches_of(seconds, batch_count(seconds)))
    logs.push_back(std::log(mean(batch)));
  return logs;
}

}  // namespace

RatioEstimate estimate_paired(std::span<const PairedBlock> blocks) {
  std::vector<double> ratios;
  std::vector<std::uint32_t> launches;
  for (const PairedBlock& block : blocks) {
    ratios.push_back(block.ratio);
    launches.push_back(block.launch);
  }
  const SamplingUnit unit = unit_of(launches);
  RatioEstimate estimate = estimate_ratio(unit == SamplingUnit::launch ? ratios_of_launches(blocks) : ratios);
  estimate.unit = unit;
  return estimate;
}

RatioEstimate estimate_from_two_runs(std::span<const double> case_seconds,
                                     std::span<const double> base_seconds, double factor) {
  const double centre = factor * mean(base_seconds) / mean(case_seconds);
  RatioEstimate estimate{.ratio = {.centre = centre, .n = 1}, .unit = SamplingUnit::batch};
  const Interval log_ratio =
      welch_difference(logs_of_batches(base_seconds), logs_of_batches(case_seconds)).difference;
  if (!log_ratio.has_bounds()) return estimate;
  estimate.ratio.low = centre * std::exp(log_ratio.low - log_ratio.centre);
  estimate.ratio.high = centre * std::exp(log_ratio.high - log_ratio.centre);
  return estimate;
}

}  // namespace breakeven
