// SPDX-License-Identifier: Apache-2.0
// Intervals of means and of paired ratios.
#include "src/statistics/interval.h"

#include <cmath>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "src/statistics/bootstrap.h"
#include "src/statistics/sample.h"

namespace breakeven {

double t_quantile(std::size_t n, double level) {
  const boost::math::students_t distribution(static_cast<double>(n - 1));
  return boost::math::quantile(boost::math::complement(distribution, (1 - level) / 2));
}

Interval mean_interval(std::span<const double> values) {
  Interval interval{.centre = mean(values), .n = values.size()};
  if (values.size() < fewest_for_interval || !all_finite(values)) return interval;
  const double n = static_cast<double>(values.size());
  const double half_width = t_quantile(values.size()) * standard_deviation(values) / std::sqrt(n);
  interval.low = interval.centre - half_width;
  interval.high = interval.centre + half_width;
  return interval;
}

RatioEstimate estimate_ratio(std::span<const double> ratios) {
  std::vector<double> logs;
  logs.reserve(ratios.size());
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  const bool is_many = logs.size() >= fewest_for_bootstrap;
  const Interval interval = is_many ? bootstrap_mean_interval(logs) : mean_interval(logs);
  return {.ratio = {.centre = std::exp(interval.centre),
                    .low = std::exp(interval.low),
                    .high = std::exp(interval.high),
                    .n = interval.n},
          .log_deviation = standard_deviation(logs)};
}

}  // namespace breakeven
