// SPDX-License-Identifier: Apache-2.0
// One addition of a sum over ranks.
#pragma once

#include "kernels/cuda/quad.cuh"

namespace breakeven::peer {

// Rounded to T, to nearest even.
template <typename T>
__device__ Quad added(const Quad& a, const Quad& b) {
  Quad sum;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum.unit[i] = to_float(from_float<T>(a.unit[i] + b.unit[i]));
  return sum;
}

}  // namespace breakeven::peer
