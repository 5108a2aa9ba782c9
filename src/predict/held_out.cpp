// SPDX-License-Identifier: Apache-2.0
#include "src/predict/held_out.h"

#include <cmath>

#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {

void HeldOut::add(double log_error, double scale) {
  log_errors.push_back(log_error);
  scales.push_back(scale);
}

std::vector<double> HeldOut::known() const {
  std::vector<double> errors = log_errors;
  std::erase_if(errors, [](double error) { return std::isnan(error); });
  return errors;
}

double HeldOut::median() const {
  std::vector<double> sizes = known();
  for (double& error : sizes) error = std::abs(error);
  return statistics::median(sizes);
}

double HeldOut::half_width() const { return statistics::error_half_width(known()); }

double HeldOut::half_width_at(double scale) const {
  HeldOut at_one;
  for (std::size_t i = 0; i < log_errors.size(); ++i) at_one.add(log_errors[i] / scales[i], 1);
  return scale * at_one.half_width();
}

}  // namespace breakeven::predict
