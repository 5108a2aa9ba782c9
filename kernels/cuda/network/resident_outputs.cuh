// SPDX-License-Identifier: Apache-2.0
// A warp owns two rows of the batch: it finishes their outputs, forward and backward, and sends them, so a
// layer ends without a barrier of the block.
#pragma once

#include "kernels/cuda/network/resident_exchange.cuh"

namespace breakeven {

constexpr int rows_a_warp = resident_rows / resident_warps;
static_assert(rows_a_warp == 2);

// The outputs of a warp's rows are consecutive in [rows][units].
struct WarpOutputs {
  const ResidentLayer& place;
  int first;  // index of the first in [rows][units]
  int count;

  __device__ explicit WarpOutputs(const ResidentLayer& of_layer)
      : place(of_layer),
        first(rows_a_warp * ResidentBlock::warp() * of_layer.units),
        count(rows_a_warp * of_layer.units) {}
  __device__ int row_of(int output) const { return output >= place.units ? 1 : 0; }
  __device__ int unit_of(int output) const { return output - row_of(output) * place.units; }
};

// `count` floats, `bytes` apart.
__device__ inline float add_split_sums(std::uint32_t from, int count, int bytes) {
  constexpr int at_once = 16;
  float sum[4] = {};
#pragma unroll 1
  for (int first = 0; first < count; first += at_once) {
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (first + i < count) sum[i % 4] += read_float(from + (first + i) * bytes);
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace breakeven
