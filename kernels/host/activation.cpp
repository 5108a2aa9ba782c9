// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout of a hidden layer in one pass, and their backward pass.
#include <algorithm>

#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"
#include "src/core/philox.h"

namespace breakeven {
namespace {

// Written so that NaN stays NaN: max(0, x) would hide it.
float relu(float value) { return value <= 0 ? 0.0f : value; }

void bias_relu_row(const float* bias, std::int64_t units, float* row) {
  for (std::int64_t unit = 0; unit < units; ++unit) row[unit] = relu(row[unit] + bias[unit]);
}

void drop_row(const Dropout& dropout, std::uint32_t step, std::uint32_t sample, std::int64_t units,
              float* row) {
  const std::uint32_t threshold = drop_threshold(dropout.rate);
  const float scale = 1.0f / (1.0f - dropout.rate);
  for (std::int64_t first = 0; first < units; first += 4) {
    const Philox4 words = random_words(dropout.seed, RandomUse::dropout, step, dropout.layer, sample,
                                       (dropout.first_unit + static_cast<std::uint32_t>(first)) / 4);
    const std::int64_t count = std::min<std::int64_t>(4, units - first);
    for (std::int64_t i = 0; i < count; ++i) {
      const float kept = row[first + i] * scale;
      row[first + i] = words.word[i] >= threshold ? kept : 0.0f;
    }
  }
}

}  // namespace

void HostDevice::bias_relu_dropout(const float* bias, const Dropout& dropout, StepState* state, Matrix h,
                                   Stream& /*stream*/) {
  RowBuffer buffer;
  for (std::int64_t row = 0; row < h.rows; ++row) {
    float* values = edit_row(h, row, buffer);
    bias_relu_row(bias, h.cols, values);
    if (dropout.rate > 0) {
      drop_row(dropout, state->step, dropout.first_sample + static_cast<std::uint32_t>(row), h.cols, values);
    }
    store_row(values, h, row);
    tell_overflow(h, row, *state);
  }
}

void HostDevice::relu_dropout_backward(ConstMatrix h, float rate, StepState* state, Matrix dh,
                                       Stream& /*stream*/) {
  const float scale = 1.0f / (1.0f - rate);
  RowBuffer h_buffer;
  RowBuffer dh_buffer;
  for (std::int64_t row = 0; row < dh.rows; ++row) {
    const float* activation = read_row(h, row, h_buffer);
    float* gradient = edit_row(dh, row, dh_buffer);
    for (std::int64_t unit = 0; unit < dh.cols; ++unit) {
      const float passed = gradient[unit] * scale;
      gradient[unit] = activation[unit] != 0 ? passed : 0.0f;
    }
    store_row(gradient, dh, row);
    tell_overflow(dh, row, *state);
  }
}

}  // namespace breakeven
