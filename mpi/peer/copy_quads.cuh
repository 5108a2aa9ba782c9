// SPDX-License-Identifier: Apache-2.0
// Copies by the blocks of a grid, several quads of a thread at a time.
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"

namespace breakeven::peer {

constexpr int copying_threads = 512;
constexpr int copied_together = 4;  // quads that a thread loads before it stores one

// Calls work(first place, number of quads) for the quads of this thread, several at a time.
template <typename Work>
__device__ void for_quads(std::int64_t length, const Work& work) {
  const std::int64_t stride = std::int64_t{4} * copying_threads * gridDim.x;
  for (std::int64_t first = std::int64_t{4} * (blockIdx.x * copying_threads + threadIdx.x); first < length;
       first += copied_together * stride) {
    work(first, stride);
  }
}

__device__ inline void copy(const float* from, float* to, std::int64_t length, bool vectorised) {
  for_quads(length, [&](std::int64_t first, std::int64_t stride) {
    Quad quads[copied_together];
#pragma unroll
    for (int i = 0; i < copied_together; ++i) {
      const std::int64_t place = first + i * stride;
      quads[i] = load_quad(from + place, length - place, vectorised);
    }
#pragma unroll
    for (int i = 0; i < copied_together; ++i) {
      const std::int64_t place = first + i * stride;
      store_quad(to + place, length - place, vectorised, quads[i]);
    }
  });
}

}  // namespace breakeven::peer
