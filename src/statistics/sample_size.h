// SPDX-License-Identifier: Apache-2.0
// How many units (runs or launches) two samples, or one sample of paired ones, need before a difference of a
// given size can be seen.
#pragma once

#include <cstddef>
#include <optional>

#include "src/statistics/interval.h"

namespace breakeven::statistics {

// The share of measurements, with as many units as are said to be needed, in which the difference is seen.
inline constexpr double power = 0.8;

struct DifferenceToSee {
  double size;                 // of the means; its sign does not matter
  double one_deviation;        // of the units of one sample, or of the paired units
  double other_deviation = 0;  // of the other sample's
  double level = confidence;   // of the interval that must not reach over the difference
  double power = statistics::power;
};

// The units that each sample needs: the smallest n >= 3 with
//   (t((1 + level) / 2, v) + t(power, v)) sqrt((s1^2 + s2^2) / n) <= |size|
// where s1 and s2 are the standard deviations of the units and t(p, v) is the quantile of Student's t with
// Welch's degrees of freedom v = (n - 1) (s1^2 + s2^2)^2 / (s1^4 + s2^4) (Chow, Shao, Wang and Lokhnygina,
// "Sample Size Calculations in Clinical Research", 3rd edition, 2018, section 3.2, with Student's t in place
// of the normal distribution). At most `most_units`, beyond which nobody measures on. Nothing where a
// deviation is not known, or the size is 0 or not a number.
inline constexpr std::size_t most_units = 1'000'000;
std::optional<std::size_t> units_to_see(const DifferenceToSee& difference);

}  // namespace breakeven::statistics
