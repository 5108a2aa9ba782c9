// SPDX-License-Identifier: Apache-2.0
// How far predictions are off on cases that were held out, and the intervals that follow.
#pragma once

#include <vector>

namespace breakeven::predict {

// Errors of predicted seconds on cases that the fit has not seen.
struct HeldOut {
  std::vector<double> log_errors;  // log(measured / predicted) of each observation; NaN: not predicted
  std::vector<double> scales;      // the error_scale of each; none: all alike
  void add(double log_error, double scale);
  std::vector<double> known() const;
  double median() const;      // of their sizes
  double half_width() const;  // error_half_width
  // The same at a place of this scale, by the errors over their scales.
  double half_width_at(double scale) const;
};

}  // namespace breakeven::predict
