// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/outliers.h"

#include <algorithm>
#include <cmath>

#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

// Both factors make the deviation of a normal sample its standard deviation.
constexpr double mad_factor = 1 / 0.6745;           // 1.4826
constexpr double mean_deviation_factor = 1.253314;  // sqrt(pi / 2)
constexpr double slow_step_deviations = 10;

double mean_absolute_deviation(std::span<const double> values, double centre) {
  double total = 0;
  for (const double value : values) total += std::abs(value - centre);
  return total / static_cast<double>(values.size());
}

double robust_deviation(std::span<const double> values) {
  const double mad = median_absolute_deviation(values);
  if (mad != 0) return mad_factor * mad;
  return mean_deviation_factor * mean_absolute_deviation(values, median(values));
}

}  // namespace

std::vector<double> modified_z_scores(std::span<const double> values) {
  const double centre = median(values);
  const double deviation = robust_deviation(values);
  std::vector<double> scores(values.size());
  std::transform(values.begin(), values.end(), scores.begin(),
                 [=](double value) { return deviation == 0 ? 0.0 : (value - centre) / deviation; });
  return scores;
}

bool is_outlier(double score) { return !(std::abs(score) <= outlier_score); }

double slow_step_limit(std::span<const double> step_seconds) {
  return median(step_seconds) + slow_step_deviations * robust_deviation(step_seconds);
}

std::vector<double> without_spikes(std::span<const double> series) {
  constexpr std::size_t reach = 3;
  std::vector<double> around(series.size());
  std::vector<double> residuals(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::size_t begin = i < reach ? 0 : i - reach;
    around[i] = median(series.subspan(begin, std::min(i + reach + 1, series.size()) - begin));
    residuals[i] = series[i] - around[i];
  }
  const double limit = outlier_score * robust_deviation(residuals);
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (std::abs(residuals[i]) <= limit) around[i] = series[i];
  }
  return around;
}

}  // namespace breakeven::statistics
