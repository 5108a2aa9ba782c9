// SPDX-License-Identifier: Apache-2.0
// Two samples that nothing pairs.
#pragma once

#include <span>

#include "src/statistics/interval.h"

namespace breakeven {

// Of mean(one) - mean(other), each with a variance of its own (Welch, "The Generalization of 'Student's'
// Problem when several different Population Variances are involved", Biometrika 34, 1947; Satterthwaite's
// degrees of freedom). `error` is the standard error of the difference. No bounds, and no error, where either
// has fewer than three values; n is the smaller number.
struct DifferenceEstimate {
  Interval difference;
  double error = std::numeric_limits<double>::quiet_NaN();
  double degrees_of_freedom = std::numeric_limits<double>::quiet_NaN();
};
DifferenceEstimate welch_difference(std::span<const double> one, std::span<const double> other);

}  // namespace breakeven
