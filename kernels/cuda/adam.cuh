// SPDX-License-Identifier: Apache-2.0
// Adam's update of four consecutive parameters, for the optimizer's kernel and for fused epilogues.
#pragma once

#include "kernels/adam.h"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

__device__ inline void adam_update(const AdamFactors& factors, const Quad& gradient, Quad& parameter,
                                   Quad& first_moment, Quad& second_moment) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    adam_update(factors, gradient.unit[i], parameter.unit[i], first_moment.unit[i], second_moment.unit[i]);
  }
}

// The same with parameters and moments in memory, and the working copy in its dtype (null: none).
template <typename Working>
__device__ void adam_update(const AdamFactors& factors, const Quad& gradient, const AdamArrays& arrays,
                            Working* working, std::int64_t first, std::int64_t left, bool vectorised) {
  Quad p = load_quad(arrays.parameter + first, left, vectorised);
  Quad m = load_quad(arrays.first_moment + first, left, vectorised);
  Quad v = load_quad(arrays.second_moment + first, left, vectorised);
  adam_update(factors, gradient, p, m, v);
  store_quad(arrays.parameter + first, left, vectorised, p);
  store_quad(arrays.first_moment + first, left, vectorised, m);
  store_quad(arrays.second_moment + first, left, vectorised, v);
  if (working != nullptr) store_quad(working + first, left, vectorised, p);
}

}  // namespace breakeven
