// SPDX-License-Identifier: Apache-2.0
// What changes from step to step and must therefore live in the device's memory: a CUDA graph freezes
// kernel arguments, so a replayed step can learn its number only by reading it.
#pragma once

#include <cstdint>

namespace breakeven {

struct StepState {
  std::uint32_t step = 0;    // steps finished so far: keys the dropout mask, the batch and the loss slot
  double beta1_power = 1.0;  // Adam's beta1^step and beta2^step, carried as running products so that
  double beta2_power = 1.0;  // both devices multiply the same numbers in the same order
};

}  // namespace breakeven
