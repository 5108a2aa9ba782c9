// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/paired_ratio.h"

#include <algorithm>
#include <cmath>

#include "src/statistics/autocorrelation.h"
#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

std::vector<double> logs_of_batches(std::span<const double> seconds) {
  std::vector<double> logs;
  for (const std::span<const double> batch : batches_of(seconds, batch_count(seconds)))
    logs.push_back(std::log(mean(batch)));
  return logs;
}

struct Halves {
  std::vector<PairedBlock> choosing;
  std::vector<PairedBlock> reporting;
};

bool has_several_launches(std::span<const std::vector<PairedBlock>> rivals) {
  std::vector<std::uint32_t> launches;
  for (const std::vector<PairedBlock>& blocks : rivals) {
    for (const PairedBlock& block : blocks) launches.push_back(block.launch);
  }
  return unit_of(launches) == SamplingUnit::launch;
}

Halves halves_of(const std::vector<PairedBlock>& blocks, bool by_launch) {
  Halves halves;
  for (const PairedBlock& block : blocks) {
    const std::uint32_t number = by_launch ? block.launch : block.repeat;
    (number % 2 == 0 ? halves.reporting : halves.choosing).push_back(block);
  }
  return halves;
}

// NaN without blocks.
double mean_logarithm(const std::vector<PairedBlock>& blocks) {
  std::vector<double> logs;
  for (const PairedBlock& block : blocks) logs.push_back(std::log(block.ratio));
  return mean(logs);
}

std::size_t place_of_highest(const std::vector<double>& finite) {
  return static_cast<std::size_t>(std::ranges::max_element(finite) - finite.begin());
}

}  // namespace

RatioEstimate estimate_ratio(std::span<const double> ratios) {
  const std::vector<double> logs = logarithms(ratios);
  const bool is_many = logs.size() >= fewest_for_bootstrap;
  return {.ratio = exponential(is_many ? bootstrap_mean_interval(logs) : mean_interval(logs)),
          .log_deviation = standard_deviation(logs)};
}

RatioEstimate estimate_paired(std::span<const PairedBlock> blocks) {
  std::vector<double> ratios;
  std::vector<std::uint32_t> launches;
  for (const PairedBlock& block : blocks) {
    ratios.push_back(block.ratio);
    launches.push_back(block.launch);
  }
  const SamplingUnit unit = unit_of(launches);
  if (unit == SamplingUnit::launch) {
    ratios = means_of_launches(launches, logarithms(ratios));
    for (double& ratio : ratios) ratio = std::exp(ratio);
  }
  RatioEstimate estimate = estimate_ratio(ratios);
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

std::optional<Winner> choose_by_halves(std::span<const std::vector<PairedBlock>> rivals) {
  const bool by_launch = has_several_launches(rivals);
  std::vector<std::size_t> places;
  std::vector<Halves> halves;
  std::vector<double> choosing;
  std::vector<double> reporting;
  for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
    Halves of_rival = halves_of(rivals[rival], by_launch);
    const double chosen_by = mean_logarithm(of_rival.choosing);
    const double reported_by = mean_logarithm(of_rival.reporting);
    if (!std::isfinite(chosen_by) || !std::isfinite(reported_by)) continue;
    places.push_back(rival);
    halves.push_back(std::move(of_rival));
    choosing.push_back(chosen_by);
    reporting.push_back(reported_by);
  }
  if (places.size() < 2) return std::nullopt;
  const std::size_t best = place_of_highest(choosing);
  return Winner{.rival = places[best],
                .speedup = estimate_paired(halves[best].reporting),
                .is_agreed = best == place_of_highest(reporting)};
}

}  // namespace breakeven::statistics
