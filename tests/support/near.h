// SPDX-License-Identifier: Apache-2.0
// The one comparison of numbers in the tests. A value passes only where difference <= tolerance is true, so
// NaN and infinity fail, and so does a comparison of nothing.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <ranges>
#include <vector>

namespace breakeven {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double fp32_roundoff = 5.9604644775390625e-08;  // 2^-24, half a unit in the last place of 1

inline testing::AssertionResult near(double actual, double expected, double tolerance) {
  const double difference = std::abs(actual - expected);
  if (difference <= tolerance) return testing::AssertionSuccess();
  return testing::AssertionFailure() << actual << " is not within " << tolerance << " of " << expected
                                     << ": the difference is " << difference;
}

// Element by element, each with its own tolerance. The message names the element that is the most
// tolerances away, a NaN before all others.
template <std::ranges::random_access_range A, std::ranges::random_access_range E,
          std::ranges::random_access_range T>
testing::AssertionResult near(const A& actual, const E& expected, const T& tolerance) {
  const std::size_t count = std::ranges::size(actual);
  if (count == 0 || count != std::ranges::size(expected) || count != std::ranges::size(tolerance)) {
    return testing::AssertionFailure()
           << "cannot compare " << count << " values with " << std::ranges::size(expected) << " under "
           << std::ranges::size(tolerance) << " tolerances";
  }
  std::size_t wrong = 0;
  std::size_t worst = 0;
  double worst_ratio = -1;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
    if (difference <= tolerance[i]) continue;
    ++wrong;
    const double ratio = difference / tolerance[i];
    const double rank = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    if (rank > worst_ratio) {
      worst_ratio = rank;
      worst = i;
    }
  }
  if (wrong == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << wrong << " of " << count << " differ, worst at [" << worst << "]: "
                                     << near(actual[worst], expected[worst], tolerance[worst]).message();
}

// One tolerance for all elements.
template <std::ranges::random_access_range A, std::ranges::random_access_range E>
testing::AssertionResult near(const A& actual, const E& expected, double tolerance) {
  return near(actual, expected, std::vector<double>(std::ranges::size(actual), tolerance));
}

// A tolerance for each element: `factor` times its size.
template <std::ranges::random_access_range V>
std::vector<double> scaled_sizes(const V& values, double factor) {
  std::vector<double> sizes;
  for (const auto& value : values) sizes.push_back(std::abs(static_cast<double>(value)) * factor);
  return sizes;
}

// |actual - expected| / |expected| in the Frobenius norm: one number for a whole matrix. NaN where any
// element is, where the sizes differ, and where there is nothing.
template <std::ranges::random_access_range A, std::ranges::random_access_range E>
double frobenius_error(const A& actual, const E& expected) {
  const std::size_t count = std::ranges::size(expected);
  if (std::ranges::size(actual) != count) return std::numeric_limits<double>::quiet_NaN();
  double difference_squares = 0;
  double expected_squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(actual[i]) - static_cast<double>(expected[i]);
    difference_squares += difference * difference;
    expected_squares += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
  }
  return std::sqrt(difference_squares / expected_squares);
}

}  // namespace breakeven
