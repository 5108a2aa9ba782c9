// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout of four consecutive units, and their backward pass, for separate passes and for
// epilogues.
#pragma once

#include "kernels/cuda/quad.cuh"
#include "kernels/product.h"
#include "src/core/philox.h"

namespace breakeven {

struct DropoutMask {
  std::uint64_t seed;
  std::uint32_t layer;
  std::uint32_t first_sample;
  std::uint32_t first_quad;  // of units
  std::uint32_t threshold;   // 0: every unit is kept
  float kept_scale;
};

inline float kept_scale(float rate) { return 1.0f / (1.0f - rate); }

inline DropoutMask mask_of(const Dropout& dropout) {
  return {dropout.seed,
          dropout.layer,
          dropout.first_sample,
          dropout.first_unit / 4,
          drop_threshold(dropout.rate),
          kept_scale(dropout.rate)};
}

// Written so that NaN stays NaN: max(0, x) would hide it.
__device__ inline float relu(float value) { return value <= 0 ? 0.0f : value; }

// dropout(relu(value + bias)) of the units [col, col + 4) of a row; col is a multiple of 4.
__device__ inline void bias_relu_dropout(const DropoutMask& mask, std::uint32_t step, std::int64_t row,
                                         std::int64_t col, const Quad& bias, Quad& value) {
#pragma unroll
  for (int i = 0; i < 4; ++i) value.unit[i] = relu(value.unit[i] + bias.unit[i]);
  if (mask.threshold == 0) return;
  const Philox4 words = random_words(mask.seed, RandomUse::dropout, step, mask.layer,
                                     mask.first_sample + static_cast<std::uint32_t>(row),
                                     mask.first_quad + static_cast<std::uint32_t>(col / 4));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    value.unit[i] = words.word[i] >= mask.threshold ? value.unit[i] * mask.kept_scale : 0.0f;
  }
}

// The gradient passes where the activation did.
__device__ inline void relu_dropout_backward(const Quad& activation, float kept_scale, Quad& gradient) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    gradient.unit[i] = activation.unit[i] != 0 ? gradient.unit[i] * kept_scale : 0.0f;
  }
}

}  // namespace breakeven
