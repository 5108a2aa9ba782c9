// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/paired_ratio.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

// Widens the interval so that those of so many ratios hold together at 95 %.
RatioEstimate simultaneous(RatioEstimate estimate, std::size_t ratios) {
  Interval& ratio = estimate.ratio;
  if (!ratio.has_bounds()) return estimate;
  const double level = 1 - (1 - confidence) / static_cast<double>(ratios);
  const double width =
      t_quantile(ratio.n, level) * estimate.log_deviation / std::sqrt(static_cast<double>(ratio.n));
  ratio.low = ratio.centre * std::exp(-width);
  ratio.high = ratio.centre * std::exp(width);
  return estimate;
}

// The ratios of `one` over those of `other` in the blocks that both have.
std::vector<PairedBlock> blocks_over(const std::vector<PairedBlock>& one,
                                     const std::vector<PairedBlock>& other) {
  std::vector<PairedBlock> shared;
  for (const PairedBlock& block : one) {
    const auto same = std::ranges::find_if(other, [&](const PairedBlock& candidate) {
      return candidate.launch == block.launch && candidate.repeat == block.repeat;
    });
    if (same != other.end()) shared.push_back({block.launch, block.repeat, block.ratio / same->ratio});
  }
  return shared;
}

}  // namespace

RatioEstimate estimate_ratio(std::span<const double> ratios) {
  const std::vector<double> logs = logarithms(ratios);
  const bool is_many = logs.size() >= fewest_for_bootstrap;
  return {.ratio = exponential(is_many ? bootstrap_mean_interval(logs) : mean_interval(logs)),
          .log_deviation = standard_deviation(logs)};
}

std::string scope_of(const RatioEstimate& estimate) { return scope_of(estimate.unit, estimate.ratio.n); }

SamplingUnit unit_of(std::span<const PairedBlock> blocks) {
  std::vector<std::uint32_t> launches;
  for (const PairedBlock& block : blocks) launches.push_back(block.launch);
  return unit_of(launches);
}

RatioEstimate estimate_paired(std::span<const PairedBlock> blocks) {
  const SamplingUnit unit = unit_of(blocks);
  std::vector<double> ratios;
  std::vector<std::uint32_t> launches;
  for (const PairedBlock& block : blocks) {
    ratios.push_back(block.ratio);
    launches.push_back(block.launch);
  }
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

std::optional<Winner> choose_best(std::span<const std::vector<PairedBlock>> rivals) {
  std::vector<std::pair<double, std::size_t>> places;  // the fastest first
  for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
    const double centre = estimate_paired(rivals[rival]).ratio.centre;
    if (std::isfinite(centre)) places.emplace_back(-centre, rival);
  }
  if (places.size() < 2) return std::nullopt;
  std::ranges::sort(places);
  const std::vector<PairedBlock>&best = rivals[places[0].second], &next = rivals[places[1].second];
  return Winner{.rival = places[0].second,
                .speedup = simultaneous(estimate_paired(best), places.size()),
                .lead = simultaneous(estimate_paired(blocks_over(best, next)), places.size())};
}

}  // namespace breakeven::statistics
