// SPDX-License-Identifier: Apache-2.0
// State that changes from step to step. It is in the device's memory because a CUDA graph freezes kernel
// arguments: a replayed step can only read its number from memory.
#pragma once

#include <cstdint>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// The gradients of activations are stored times `loss_scale` and scaled back before they reach a weight.
// Without that, most would be too small for fp16. The scale is 1 in all other precisions. Dynamic loss
// scaling: Micikevicius et al., "Mixed Precision Training", ICLR 2018, section 3.2.
struct StepState {
  std::uint32_t step = 0;  // steps finished so far: keys the dropout mask, the batch, the loss slot
  std::uint32_t overflow =
      0;  // an activation of this step, or its gradient, is too large to store: no update
  std::uint32_t steps_since_scaled = 0;
  std::uint32_t growth_interval = 0;  // steps without overflow after which the scale doubles; 0: never scaled
  float loss_scale = 1;
  // Adam's beta1^t and beta2^t after t updates: running products, so that both devices multiply the same
  // numbers in the same order.
  double beta1_power = 1.0;
  double beta2_power = 1.0;
};

// The scale stays a power of two whose inverse and products are finite, also where activations overflow,
// which no scale mends, or where all gradients are 0.
inline constexpr float least_loss_scale = 1, most_loss_scale = 0x1p24f;

// Ends a step, the same on both devices. An overflow halves the scale and does not count as an update of
// Adam, but as a step.
HOST_DEVICE void advance(StepState& state, float beta1, float beta2) {
  state.step += 1;
  if (state.overflow != 0) {
    state.overflow = 0;
    state.steps_since_scaled = 0;
    if (state.loss_scale > least_loss_scale) state.loss_scale *= 0.5f;
    return;
  }
  state.beta1_power *= beta1;
  state.beta2_power *= beta2;
  if (state.growth_interval == 0) return;
  state.steps_since_scaled += 1;
  if (state.steps_since_scaled == state.growth_interval) {
    state.steps_since_scaled = 0;
    if (state.loss_scale < most_loss_scale) state.loss_scale *= 2.0f;
  }
}

// Factors of Adam's update. Two of them include the bias corrections of algorithm 1. They are computed from
// double powers of beta: near 1, the difference from 1 would have no correct digits in fp32.
struct AdamFactors {
  float beta1;
  float fresh1;  // 1 - beta1
  float beta2;
  float fresh2;      // 1 - beta2
  float rate;        // learning rate / (1 - beta1^t)
  float root_scale;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
};

// What a step leaves for the next one in the device's memory. Filled with zeros before the first.
struct StepNotes {
  static constexpr std::uint32_t most_rows = 512;
  // The rows of the next batch, drawn in advance, and the step that they were drawn for: `number` is the
  // step's plus one; 0 is no step. A step with another number draws its rows again.
  std::uint64_t seed;
  std::uint32_t number;
  std::uint32_t global_batch;
  std::uint32_t first_sample;
  std::uint32_t samples;
  std::uint32_t sample[most_rows];
  AdamFactors factors;  // of the current step
  float inverse_loss_scale;
  std::uint32_t overflowed;  // the last step with an overflow, plus one
};

}  // namespace breakeven
