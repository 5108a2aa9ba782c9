// SPDX-License-Identifier: Apache-2.0
// Gradient clipping by the global norm: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent
// neural networks", ICML 2013, algorithm 1.
#pragma once

#include <cfloat>
#include <cmath>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// min(1, limit / sqrt(sum_of_squares)). 1 where the sum is not finite: a gradient that has overflowed must be
// seen as it is, not be turned into zeros.
HOST_DEVICE float clip_factor(double sum_of_squares, float limit) {
  if (!(sum_of_squares <= DBL_MAX)) return 1.0f;
  const double norm = std::sqrt(sum_of_squares);
  return norm > limit ? static_cast<float>(limit / norm) : 1.0f;
}

}  // namespace breakeven
