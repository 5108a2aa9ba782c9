// SPDX-License-Identifier: Apache-2.0
// The two losses and their gradients. Sums are in double, row by row, so a loss has one rounding.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {
namespace {

// Loss of one row and its gradient times `scale`. An invalid class number makes both NaN: a wrong label must
// not train silently. dy may be y itself.
double softmax_row(const float* y, float target, std::int64_t classes, double scale, float* dy) {
  const bool is_class = target >= 0 && target < static_cast<float>(classes) && target == std::floor(target);
  if (!is_class) {
    std::fill(dy, dy + classes, std::numeric_limits<float>::quiet_NaN());
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto label = static_cast<std::int64_t>(target);
  const double label_logit = y[label];
  const double largest = *std::max_element(y, y + classes);  // subtracted, so exp cannot overflow
  double sum = 0;
  for (std::int64_t i = 0; i < classes; ++i) {
    const double share = std::exp(y[i] - largest);
    dy[i] = static_cast<float>(share);
    sum += share;
  }
  const auto share_scale = static_cast<float>(scale / sum);
  for (std::int64_t i = 0; i < classes; ++i) dy[i] *= share_scale;
  const double log_probability = label_logit - largest - std::log(sum);
  dy[label] = static_cast<float>(std::expm1(log_probability) * scale);  // p - 1 without cancellation
  return -log_probability;
}

// The sum of squares of one row's errors, and its gradient.
double squared_error_row(const float* y, const float* target, std::int64_t outs, float scale, float* dy) {
  double sum = 0;
  for (std::int64_t out = 0; out < outs; ++out) {
    const float difference = y[out] - target[out];
    dy[out] = scale * difference;
    sum += static_cast<double>(difference) * difference;
  }
  return sum;
}

// Adds loss_of_row(y, target, dy) over all rows.
template <typename LossOfRow>
double sum_over_rows(const ConstMatrix& y, const ConstMatrix& target, const Matrix& dy, StepState& state,
                     const LossOfRow& loss_of_row) {
  RowBuffer y_buffer;
  RowBuffer dy_buffer;
  double sum = 0;
  for (std::int64_t row = 0; row < y.rows; ++row) {
    float* gradient = edit_row(dy, row, dy_buffer);
    sum += loss_of_row(read_row(y, row, y_buffer), target.floats() + row * target.ld, gradient);
    store_row(gradient, dy, row);
    tell_overflow(dy, row, state);
  }
  return sum;
}

}  // namespace

void HostDevice::mean_squared_error(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                    StepState* state, Matrix dy, std::span<float> losses,
                                    Stream& /*stream*/) {
  const double values = static_cast<double>(global_batch) * static_cast<double>(y.cols);
  const float scale = static_cast<float>(2.0 / values) * state->loss_scale;
  const double sum =
      sum_over_rows(y, target, dy, *state, [&](const float* y_row, const float* wanted, float* gradient) {
        return squared_error_row(y_row, wanted, y.cols, scale, gradient);
      });
  losses[state->step % losses.size()] = static_cast<float>(sum / values);
}

void HostDevice::softmax_cross_entropy(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                       StepState* state, Matrix dy, std::span<float> losses,
                                       Stream& /*stream*/) {
  const double scale = static_cast<double>(state->loss_scale) / global_batch;
  const double sum =
      sum_over_rows(y, target, dy, *state, [&](const float* y_row, const float* label, float* gradient) {
        return softmax_row(y_row, *label, y.cols, scale, gradient);
      });
  losses[state->step % losses.size()] = static_cast<float>(sum / global_batch);
}

void HostDevice::total_of_losses(std::span<const float> parts, const StepState* state,
                                 std::span<float> losses, Stream& /*stream*/) {
  losses[state->step % losses.size()] = std::accumulate(parts.begin(), parts.end(), 0.0f);
}

}  // namespace breakeven
