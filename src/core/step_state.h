// SPDX-License-Identifier: Apache-2.0
// What changes from step to step and must therefore live in the device's memory: a CUDA graph freezes
// kernel arguments, so a replayed step can learn its number only by reading it.
#pragma once

#include <cstdint>

#include "src/core/host_device.h"

namespace breakeven {

// The gradients of activations are stored times `loss_scale`, and taken back before a weight sees them:
// without that, most of them would be below what fp16 can hold. The scale is 1 in all other precisions.
// Dynamic loss scaling: Micikevicius et al., "Mixed Precision Training", ICLR 2018, section 3.2.
struct StepState {
  std::uint32_t step = 0;      // steps finished so far: keys the dropout mask, the batch, the loss slot
  std::uint32_t overflow = 0;  // a stored gradient of this step is not finite: no parameter changes
  std::uint32_t steps_since_scaled = 0;
  std::uint32_t growth_interval = 0;  // steps without overflow after which the scale doubles; 0: never scaled
  float loss_scale = 1;
  double beta1_power = 1.0;  // Adam's beta1^t and beta2^t over the t updates made, carried as running
  double beta2_power = 1.0;  // products so that both devices multiply the same numbers in the same order
};

// The end of a step, the same on both devices. An overflow halves the scale and leaves Adam's count of
// updates as it is; the step itself is spent.
HOST_DEVICE void advance(StepState& state, float beta1, float beta2) {
  state.step += 1;
  if (state.overflow != 0) {
    state.overflow = 0;
    state.steps_since_scaled = 0;
    state.loss_scale *= 0.5f;
    return;
  }
  state.beta1_power *= beta1;
  state.beta2_power *= beta2;
  if (state.growth_interval == 0) return;
  state.steps_since_scaled += 1;
  if (state.steps_since_scaled == state.growth_interval) {
    state.steps_since_scaled = 0;
    state.loss_scale *= 2.0f;
  }
}

// What the update needs beside the gradient. The bias corrections of algorithm 1 are folded into two factors,
// and the powers of beta are double: near 1 their difference from it would lose all its places in fp32.
struct AdamFactors {
  float beta1;
  float fresh1;  // 1 - beta1
  float beta2;
  float fresh2;      // 1 - beta2
  float rate;        // learning rate / (1 - beta1^t)
  float root_scale;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
};

// What a step leaves to the next one in the device's memory. Zero-filled before the first.
struct StepNotes {
  static constexpr std::uint32_t most_rows = 512;
  // The rows of the next batch, drawn ahead, and what they were drawn for: `number` is the step's plus one,
  // so that 0 is no step. Nothing goes wrong where the next step is another; it draws anew.
  std::uint64_t seed;
  std::uint32_t number;
  std::uint32_t global_batch;
  std::uint32_t first_sample;
  std::uint32_t samples;
  std::uint32_t sample[most_rows];
  AdamFactors factors;  // of the step that is running
};

}  // namespace breakeven
