// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace breakeven::statistics {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

double sum(std::span<const double> values) {
  return values.empty() ? nan : std::accumulate(values.begin(), values.end(), 0.0);
}

double mean(std::span<const double> values) { return sum(values) / static_cast<double>(values.size()); }

double root_mean_square(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// std::max drops a NaN or keeps it, depending on the order, so NaNs are excluded first.
double highest(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return nan;
  return *std::max_element(values.begin(), values.end());
}

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs(values.size());
  std::ranges::transform(values, logs.begin(), [](double value) { return std::log(value); });
  return logs;
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return nan;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> values, double q) {
  if (values.empty() || !all_finite(values) || !(q >= 0 && q <= 1)) return nan;
  std::vector<double> sorted(values.begin(), values.end());
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), nth, sorted.end());
  if (below + 1 == sorted.size()) return *nth;
  const double next = *std::min_element(nth + 1, sorted.end());
  return *nth + (place - static_cast<double>(below)) * (next - *nth);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double median_absolute_deviation(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> deviations(values.begin(), values.end());
  for (double& value : deviations) value = std::abs(value - centre);
  return median(deviations);
}

}  // namespace breakeven::statistics
