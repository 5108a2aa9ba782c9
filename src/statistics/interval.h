// SPDX-License-Identifier: Apache-2.0
// How far an estimate can be trusted: 95 % intervals by Student's t, of a mean and of a paired ratio.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace breakeven {

inline constexpr double confidence = 0.95;
inline constexpr std::size_t fewest_for_interval = 3;

// The two-sided quantile: 95 % of Student's t with n - 1 degrees of freedom lies within +- this. n >= 2.
double t_quantile(std::size_t n);

// low and high are NaN where there are fewer than three values: two give an interval 12.7 deviations wide.
struct Interval {
  double centre = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::size_t n = 0;
  bool has_bounds() const { return low <= high; }
};

Interval mean_interval(std::span<const double> values);

// A ratio estimated from blocks: in each, numerator and denominator were measured close together, so that
// what disturbed both cancels. The mean and its interval are taken of the logarithms, since a ratio and its
// inverse must give the same answer; the centre is the geometric mean of the ratios.
struct RatioEstimate {
  Interval ratio;
  double log_deviation = std::numeric_limits<double>::quiet_NaN();  // of the logarithms, n - 1
};

RatioEstimate estimate_ratio(std::span<const double> ratios);

}  // namespace breakeven
