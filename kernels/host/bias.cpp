// SPDX-License-Identifier: Apache-2.0
// The bias of a layer, forward and backward.
#include <algorithm>
#include <array>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::add_bias(const float* bias, Matrix y, Stream& /*stream*/) {
  for (std::int64_t row = 0; row < y.rows; ++row) {
    float* values = y.data + row * y.ld;
    for (std::int64_t out = 0; out < y.cols; ++out) values[out] += bias[out];
  }
}

// Blocks of columns, so that rows are read in order while the sums stay in registers and cache.
void HostDevice::bias_gradient(ConstMatrix dy, float* db, Stream& /*stream*/) {
  constexpr std::int64_t block = 64;
  for (std::int64_t first = 0; first < dy.cols; first += block) {
    const std::int64_t width = std::min(block, dy.cols - first);
    std::array<double, block> sums{};
    for (std::int64_t row = 0; row < dy.rows; ++row) {
      const float* values = dy.data + row * dy.ld + first;
      for (std::int64_t col = 0; col < width; ++col) sums[col] += values[col];
    }
    for (std::int64_t col = 0; col < width; ++col) db[first + col] = static_cast<float>(sums[col]);
  }
}

}  // namespace breakeven
