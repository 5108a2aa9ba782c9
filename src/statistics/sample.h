// SPDX-License-Identifier: Apache-2.0
// Sums, means, quantiles and deviations of one list of numbers. A NaN among them, or an empty list, gives
// NaN: a value that was not measured is never left out silently.
#pragma once

#include <span>
#include <vector>

namespace breakeven::statistics {

bool all_finite(std::span<const double> values);
double sum(std::span<const double> values);
double mean(std::span<const double> values);
double root_mean_square(std::span<const double> values);
double highest(std::span<const double> values);
std::vector<double> logarithms(std::span<const double> values);

// The sample's: divided by n - 1. NaN for fewer than two values.
double standard_deviation(std::span<const double> values);

// The value below which the share `q` of the values lies, by linear interpolation between the two nearest
// (Hyndman and Fan, The American Statistician 50, 1996, definition 7: the one of R and NumPy).
double quantile(std::span<const double> values, double q);
double median(std::span<const double> values);

// Median of the absolute deviations from the median, unscaled.
double median_absolute_deviation(std::span<const double> values);

}  // namespace breakeven::statistics
