// SPDX-License-Identifier: Apache-2.0
// Copies by the blocks of a grid, several quads of a thread at a time.
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"

namespace breakeven::peer {

constexpr int copying_threads = 512;
constexpr int copied_together = 4;  // quads that a thread loads before it stores one

// Those from place `first` on, of an array of `length` values.
struct QuadsAt {
  std::int64_t first, stride, length;
  bool vectorised;

  __device__ void load(const float* from, Quad (&quads)[copied_together]) const {
#pragma unroll
    for (int i = 0; i < copied_together; ++i) {
      const std::int64_t place = first + i * stride;
      quads[i] = load_quad(from + place, length - place, vectorised);
    }
  }
  __device__ void store(float* to, const Quad (&quads)[copied_together]) const {
#pragma unroll
    for (int i = 0; i < copied_together; ++i) {
      const std::int64_t place = first + i * stride;
      store_quad(to + place, length - place, vectorised, quads[i]);
    }
  }
};

// Calls work(QuadsAt) for the quads of this thread, several at a time.
template <typename Work>
__device__ void for_quads(std::int64_t length, bool vectorised, const Work& work) {
  const std::int64_t stride = std::int64_t{4} * copying_threads * gridDim.x;
  for (std::int64_t first = std::int64_t{4} * (blockIdx.x * copying_threads + threadIdx.x); first < length;
       first += copied_together * stride) {
    work(QuadsAt{first, stride, length, vectorised});
  }
}

__device__ inline void copy(const float* from, float* to, std::int64_t length, bool vectorised) {
  for_quads(length, vectorised, [&](const QuadsAt& at) {
    Quad quads[copied_together];
    at.load(from, quads);
    at.store(to, quads);
  });
}

}  // namespace breakeven::peer
