// SPDX-License-Identifier: Apache-2.0
// Woodruff's interval of a quantile.
#include "src/statistics/quantile_interval.h"

#include <algorithm>
#include <cmath>

#include "src/statistics/sample.h"

namespace breakeven {
namespace {

constexpr double fewest_beyond = 20 - 1e-9;  // 0.95 is not exact

// Of the values of each cluster, how many are up to the limit.
std::vector<double> shares_up_to(double limit, std::span<const Cluster> clusters) {
  std::vector<double> shares;
  for (const Cluster& cluster : clusters) {
    const auto within = std::ranges::count_if(cluster, [=](double value) { return value <= limit; });
    shares.push_back(static_cast<double>(within) / static_cast<double>(cluster.size()));
  }
  return shares;
}

double moved_by_odds(double share, double logarithm) {
  const double odds = share / (1 - share) * std::exp(logarithm);
  return odds / (1 + odds);
}

}  // namespace

Interval quantile_interval(std::span<const Cluster> clusters, double q) {
  std::vector<double> all;
  for (const Cluster& cluster : clusters) all.insert(all.end(), cluster.begin(), cluster.end());
  Interval interval{.centre = quantile(all, q), .n = clusters.size()};
  const double beyond = std::min(q, 1 - q) * static_cast<double>(all.size());
  if (clusters.size() < fewest_for_interval || !std::isfinite(interval.centre)) return interval;
  if (!(beyond >= fewest_beyond)) return interval;
  const std::vector<double> shares = shares_up_to(interval.centre, clusters);
  const double error = standard_deviation(shares) / std::sqrt(static_cast<double>(shares.size()));
  // The delta method: the derivative of ln(q / (1 - q)) is 1 / (q (1 - q)).
  const double half_width = t_quantile(clusters.size()) * error / (q * (1 - q));
  interval.low = quantile(all, moved_by_odds(q, -half_width));
  interval.high = quantile(all, moved_by_odds(q, half_width));
  return interval;
}

}  // namespace breakeven
