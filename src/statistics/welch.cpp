// SPDX-License-Identifier: Apache-2.0
// Welch's interval.
#include "src/statistics/welch.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "src/statistics/sample.h"

namespace breakeven {
namespace {

// Of the mean.
double squared_error(std::span<const double> values) {
  const double deviation = standard_deviation(values);
  return deviation * deviation / static_cast<double>(values.size());
}

}  // namespace

DifferenceEstimate welch_difference(std::span<const double> one, std::span<const double> other) {
  DifferenceEstimate estimate;
  estimate.difference = {.centre = mean(one) - mean(other), .n = std::min(one.size(), other.size())};
  if (estimate.difference.n < fewest_for_interval || !all_finite(one) || !all_finite(other)) return estimate;
  const double first = squared_error(one);
  const double second = squared_error(other);
  estimate.error = std::sqrt(first + second);
  const double squares = first * first / static_cast<double>(one.size() - 1) +
                         second * second / static_cast<double>(other.size() - 1);
  // Of two samples without any spread all degrees of freedom say the same.
  estimate.degrees_of_freedom = squares > 0 ? (first + second) * (first + second) / squares
                                            : static_cast<double>(one.size() + other.size() - 2);
  const boost::math::students_t distribution(estimate.degrees_of_freedom);
  const double half_width =
      boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2)) * estimate.error;
  estimate.difference.low = estimate.difference.centre - half_width;
  estimate.difference.high = estimate.difference.centre + half_width;
  return estimate;
}

}  // namespace breakeven
