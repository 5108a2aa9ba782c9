// SPDX-License-Identifier: Apache-2.0
// The expanded percentile bootstrap of a mean.
#include "src/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/distributions/normal.hpp>

#include "src/core/philox.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

constexpr std::uint64_t seed = 20250617;
constexpr std::uint32_t resamples = 4000;

// Uniform below n, as exactly as 32 bits allow: n is the number of units, some hundreds at most.
std::size_t place_below(std::size_t n, std::uint32_t word) {
  return static_cast<std::size_t>((std::uint64_t{word} * n) >> 32);
}

double resampled_mean(std::span<const double> values, std::uint32_t resample) {
  double total = 0;
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const Philox4 words = philox4x32(seed, resample, static_cast<std::uint32_t>(i / 4), 0, 0);
    for (std::size_t j = i; j < std::min(i + 4, values.size()); ++j)
      total += values[place_below(values.size(), words.word[j - i])];
  }
  return total / static_cast<double>(values.size());
}

// The percentile that stands in for 2.5 %.
double expanded_tail(std::size_t n) {
  const double count = static_cast<double>(n);
  const boost::math::normal standard;
  return boost::math::cdf(standard, -std::sqrt(count / (count - 1)) * t_quantile(n));
}

}  // namespace

Interval bootstrap_mean_interval(std::span<const double> values) {
  Interval interval{.centre = mean(values), .n = values.size()};
  if (values.size() < fewest_for_bootstrap || !all_finite(values)) return interval;
  std::vector<double> means;
  means.reserve(resamples);
  for (std::uint32_t resample = 0; resample < resamples; ++resample)
    means.push_back(resampled_mean(values, resample));
  const double tail = expanded_tail(values.size());
  interval.low = quantile(means, tail);
  interval.high = quantile(means, 1 - tail);
  return interval;
}

}  // namespace breakeven
