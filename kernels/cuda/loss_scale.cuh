// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling within kernels (step_state.h): reporting overflow and removing the scale.
#pragma once

#include "src/core/step_state.h"

namespace breakeven {

// Without loss scaling it does nothing: a NaN must stay visible, and no step is skipped for it. Any number of
// threads may call it at once: all store the same value.
__device__ inline void tell_overflow(StepState* state, bool overflowed) {
  if (overflowed && state->growth_interval > 0) state->overflow = 1;
}

// The scale is a power of two, whose inverse is exact.
__device__ inline float inverse_loss_scale(const StepState& state) { return 1.0f / state.loss_scale; }

}  // namespace breakeven
