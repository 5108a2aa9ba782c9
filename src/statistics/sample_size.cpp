// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/sample_size.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace breakeven::statistics {

std::optional<std::size_t> units_to_see(const DifferenceToSee& difference) {
  const double one = difference.one_deviation * difference.one_deviation;
  const double other = difference.other_deviation * difference.other_deviation;
  const double size = std::abs(difference.size);
  if (!(size > 0) || !std::isfinite(size) || !std::isfinite(one + other)) return std::nullopt;
  const auto deviations_of = [&](const auto& distribution) {
    return quantile(distribution, (1 + difference.level) / 2) + quantile(distribution, difference.power);
  };
  const auto is_enough = [&](std::size_t n) {
    if (one + other == 0) return true;
    const double balance = (one + other) * (one + other) / (one * one + other * other);
    const boost::math::students_t student(balance * static_cast<double>(n - 1));
    return deviations_of(student) * std::sqrt((one + other) / static_cast<double>(n)) <= size;
  };
  if (is_enough(fewest_for_interval)) return fewest_for_interval;
  // Student's quantiles are larger than the normal distribution's, and soon hardly so.
  const double deviations = deviations_of(boost::math::normal());
  const double fewest = deviations * deviations * (one + other) / (size * size);
  if (fewest >= most_units) return most_units;
  std::size_t too_few = std::max(fewest_for_interval, static_cast<std::size_t>(fewest));
  std::size_t enough = too_few + 1;
  for (std::size_t step = 1; enough < most_units && !is_enough(enough); step *= 2) {
    too_few = enough;
    enough = std::min(enough + step, most_units);
  }
  while (enough - too_few > 1) {
    const std::size_t middle = std::midpoint(too_few, enough);
    (is_enough(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace breakeven::statistics
