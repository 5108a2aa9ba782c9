// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling: removes the scale, detects overflow, and ends a step, which sets the next step's
// scale.
#include <limits>

#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {

void HostDevice::remove_loss_scale(const StepState* state, Matrix values, Stream& /*stream*/) {
  const float scale = state->loss_scale;
  if (scale == 1) return;
  RowBuffer buffer;
  for (std::int64_t row = 0; row < values.rows; ++row) {
    float* of_row = edit_row(values, row, buffer);
    for (std::int64_t col = 0; col < values.cols; ++col) of_row[col] /= scale;
    store_row(of_row, values, row);
  }
}

void HostDevice::find_overflow(std::size_t count, const float* values, StepState* state, Stream& /*stream*/) {
  tell_overflow(count, values, *state);
}

void HostDevice::store_overflow(const StepState* state, float* value, Stream& /*stream*/) {
  *value = state->overflow != 0 ? std::numeric_limits<float>::infinity() : 0.0f;
}

void HostDevice::advance_step(const AdamSettings& settings, StepState* state, Stream& /*stream*/) {
  advance(*state, settings.beta1, settings.beta2);
}

}  // namespace breakeven
