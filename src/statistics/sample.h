// SPDX-License-Identifier: Apache-2.0
// What one list of numbers says of itself. A NaN among them, or no number at all, gives NaN: a value that was
// not measured is never passed over in silence.
#pragma once

#include <span>

namespace breakeven {

bool all_finite(std::span<const double> values);
double sum(std::span<const double> values);
double mean(std::span<const double> values);
double highest(std::span<const double> values);

// Of a sample: divided by n - 1. NaN for fewer than two values.
double standard_deviation(std::span<const double> values);

// The value below which the share `q` of the values lies, by linear interpolation between the two nearest
// (Hyndman and Fan, The American Statistician 50, 1996, definition 7: the one of R and NumPy).
double quantile(std::span<const double> values, double q);
double median(std::span<const double> values);

// Median of the absolute deviations from the median, unscaled.
double median_absolute_deviation(std::span<const double> values);

}  // namespace breakeven
