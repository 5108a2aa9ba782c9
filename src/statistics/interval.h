// SPDX-License-Identifier: Apache-2.0
// How far an estimate can be trusted: 95 % intervals of a mean and of a paired ratio.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "src/statistics/sampling_unit.h"

namespace breakeven {

inline constexpr double confidence = 0.95;
inline constexpr std::size_t fewest_for_interval = 3;

// The two-sided quantile: so much of Student's t with n - 1 degrees of freedom lies within +- this. n >= 2.
double t_quantile(std::size_t n, double level = confidence);

// low and high are NaN where there are fewer than three values: two give an interval 12.7 deviations wide.
struct Interval {
  double centre = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::size_t n = 0;
  bool has_bounds() const { return low <= high; }
};

Interval mean_interval(std::span<const double> values);

// A ratio estimated from units: in each, numerator and denominator were measured close together, so that what
// disturbed both cancels. The mean and its interval are taken of the logarithms, since a ratio and its
// inverse must give the same answer; the centre is the geometric mean of the ratios. The interval is
// Student's t below ten units and the bootstrap (bootstrap.h) from there on.
struct RatioEstimate {
  Interval ratio;
  double log_deviation = std::numeric_limits<double>::quiet_NaN();  // of the logarithms, n - 1
  SamplingUnit unit = SamplingUnit::run;
};

RatioEstimate estimate_ratio(std::span<const double> ratios);

}  // namespace breakeven
