// SPDX-License-Identifier: Apache-2.0
// The bias of a layer, forward and backward.
#include <algorithm>

#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {

void HostDevice::add_bias(const float* bias, Matrix y, Stream& /*stream*/) {
  RowBuffer buffer;
  for (std::int64_t row = 0; row < y.rows; ++row) {
    float* values = edit_row(y, row, buffer);
    for (std::int64_t out = 0; out < y.cols; ++out) values[out] += bias[out];
    store_row(values, y, row);
  }
}

void HostDevice::bias_gradient(ConstMatrix dy, const StepState* state, float* db, Stream& /*stream*/) {
  std::vector<double> sums(static_cast<std::size_t>(dy.cols), 0.0);
  RowBuffer buffer;
  for (std::int64_t row = 0; row < dy.rows; ++row) {
    const float* values = read_row(dy, row, buffer);
    for (std::size_t out = 0; out < sums.size(); ++out) sums[out] += values[out];
  }
  const double scale = state->loss_scale;
  std::ranges::transform(sums, db, [scale](double sum) { return static_cast<float>(sum / scale); });
}

}  // namespace breakeven
