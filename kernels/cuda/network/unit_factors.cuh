// SPDX-License-Identifier: Apache-2.0
// Dropout as a factor per unit, drawn before the unit's value is known (kernels/cuda/dropout.cuh draws the
// same mask with the value).
#pragma once

#include "kernels/cuda/dropout.cuh"

namespace breakeven {

// The factors of the units [col, col + 4) of a row: 0 if dropped, else the scale of kept units.
__device__ inline Quad draw_unit_factors(const DropoutMask& mask, std::uint32_t layer, std::uint32_t step,
                                         int row, int col) {
  if (mask.threshold == 0) return {{1, 1, 1, 1}};
  const Philox4 words =
      random_words(mask.seed, RandomUse::dropout, step, layer,
                   mask.first_sample + static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col / 4));
  Quad factors;
#pragma unroll
  for (int i = 0; i < 4; ++i) factors.unit[i] = words.word[i] >= mask.threshold ? mask.kept_scale : 0.0f;
  return factors;
}

// A dropped unit is 0 even where its value is NaN.
__device__ inline float activation_of(float value, float factor) {
  return factor != 0 ? relu(value) * factor : 0.0f;
}

}  // namespace breakeven
