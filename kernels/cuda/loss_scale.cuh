// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling as a kernel meets it (step_state.h): telling of overflow, and taking the scale back.
#pragma once

#include "src/core/step_state.h"

namespace breakeven {

// Without loss scaling nothing is told: a NaN must stay in sight, and no step be skipped for it. Any number
// of threads may tell at once: all store the same.
__device__ inline void tell_overflow(StepState* state, bool overflowed) {
  if (overflowed && state->growth_interval > 0) state->overflow = 1;
}

// The scale is a power of two, whose inverse is exact.
__device__ inline float inverse_loss_scale(const StepState& state) { return 1.0f / state.loss_scale; }

}  // namespace breakeven
