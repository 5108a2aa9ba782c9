// SPDX-License-Identifier: Apache-2.0
// The two losses and their gradients. Sums are in double, row by row, so a loss has one rounding.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/host/host_device.h"

namespace breakeven {
namespace {

// Loss of one row and its gradient times `scale`. A class number that is none makes all of it NaN: a wrong
// label must not train silently.
double softmax_row(const float* y, float target, std::int64_t classes, double scale, float* dy) {
  const bool is_class = target >= 0 && target < static_cast<float>(classes) && target == std::floor(target);
  if (!is_class) {
    std::fill(dy, dy + classes, std::numeric_limits<float>::quiet_NaN());
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double largest = *std::max_element(y, y + classes);  // so that exp cannot overflow
  double sum = 0;
  for (std::int64_t i = 0; i < classes; ++i) {
    const double share = std::exp(y[i] - largest);
    dy[i] = static_cast<float>(share);
    sum += share;
  }
  const auto share_scale = static_cast<float>(scale / sum);
  for (std::int64_t i = 0; i < classes; ++i) dy[i] *= share_scale;
  const auto label = static_cast<std::int64_t>(target);
  const double log_probability = y[label] - largest - std::log(sum);
  dy[label] = static_cast<float>(std::expm1(log_probability) * scale);  // p - 1 without cancellation
  return -log_probability;
}

}  // namespace

void HostDevice::mean_squared_error(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                    const StepState* state, Matrix dy, std::span<float> losses,
                                    Stream& /*stream*/) {
  const double values = static_cast<double>(global_batch) * static_cast<double>(y.cols);
  const auto scale = static_cast<float>(2.0 / values);
  double sum = 0;
  for (std::int64_t row = 0; row < y.rows; ++row) {
    for (std::int64_t out = 0; out < y.cols; ++out) {
      const float difference = y.data[row * y.ld + out] - target.data[row * target.ld + out];
      dy.data[row * dy.ld + out] = scale * difference;
      sum += static_cast<double>(difference) * difference;
    }
  }
  losses[state->step % losses.size()] = static_cast<float>(sum / values);
}

void HostDevice::softmax_cross_entropy(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                       const StepState* state, Matrix dy, std::span<float> losses,
                                       Stream& /*stream*/) {
  const double scale = 1.0 / global_batch;
  double sum = 0;
  for (std::int64_t row = 0; row < y.rows; ++row) {
    sum +=
        softmax_row(y.data + row * y.ld, target.data[row * target.ld], y.cols, scale, dy.data + row * dy.ld);
  }
  losses[state->step % losses.size()] = static_cast<float>(sum * scale);
}

}  // namespace breakeven
