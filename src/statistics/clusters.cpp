// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace breakeven::statistics {
namespace {

constexpr double weight_of_most = 1;  // in degrees of freedom of the variance

double sum_of_squares(const Cluster& cluster) {
  double sum = 0;
  for (const double value : cluster) sum += value * value;
  return sum;
}

// Of a mean over clusters, from how far each one's sum is off what its size lets expect.
double variance_of_mean(std::span<const double> off, double values) {
  const auto clusters = static_cast<double>(off.size());
  double sum = 0;
  for (const double one : off) sum += one * one;
  return clusters / (clusters - 1) * sum / (values * values);
}

}  // namespace

double error_half_width(std::span<const Cluster> clusters) {
  if (clusters.size() < fewest_for_interval) return std::numeric_limits<double>::quiet_NaN();
  double errors = 0, sum = 0;
  for (const Cluster& cluster : clusters) {
    errors += static_cast<double>(cluster.size());
    sum += sum_of_squares(cluster);
  }
  const double mean = sum / errors;
  std::vector<double> off;
  for (const Cluster& cluster : clusters)
    off.push_back(sum_of_squares(cluster) - static_cast<double>(cluster.size()) * mean);
  const auto fewest = static_cast<double>(clusters.size() - 1);
  const double most_variance = 2 * mean * mean / fewest;
  const double variance =
      (variance_of_mean(off, errors) * fewest + most_variance * weight_of_most) / (fewest + weight_of_most);
  const double shown = variance > 0 ? 2 * mean * mean / variance : errors;
  return t_quantile_at(std::clamp(shown, fewest, errors)) * std::sqrt(mean);
}

Interval share_interval(const std::map<std::string, Tally>& clusters) {
  double asked = 0, came_true = 0;
  for (const auto& [name, one] : clusters) {
    asked += static_cast<double>(one.asked);
    came_true += static_cast<double>(one.came_true);
  }
  Interval interval{.centre = came_true / asked, .n = clusters.size()};
  if (clusters.size() < 2) return interval;
  std::vector<double> off;
  for (const auto& [name, one] : clusters)
    off.push_back(static_cast<double>(one.came_true) - static_cast<double>(one.asked) * interval.centre);
  const double variance = variance_of_mean(off, asked);
  const double certainty = t_quantile_at(asked - 1) / t_quantile(clusters.size());
  const double shown =
      variance > 0 ? interval.centre * (1 - interval.centre) / variance * certainty * certainty : asked;
  const bool is_varied = came_true > 0 && came_true < asked;
  const Interval bounds = binomial_interval_of_share(
      interval.centre, is_varied ? std::min(shown, asked) : static_cast<double>(clusters.size()));
  interval.low = bounds.low;
  interval.high = bounds.high;
  return interval;
}

}  // namespace breakeven::statistics
