// SPDX-License-Identifier: Apache-2.0
// Sums over a warp, a block and a whole grid. Every one adds in a fixed order, so that a result is the same
// bits in every run: partial sums are stored and added by index, never by who comes first.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_stream.h"

namespace breakeven {

struct Add {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }  // NaN only where both are
};

// All lanes get the result; all 32 must call.
template <typename T, typename Operation>
__device__ T warp_reduce(T value, Operation operation) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = operation(value, __shfl_xor_sync(0xFFFFFFFFu, value, distance));
  }
  return value;
}

// All threads get the result; all 32 * warps threads of a one-dimensional block must call.
template <int warps, typename T, typename Operation>
__device__ T block_reduce(T value, Operation operation) {
  __shared__ T of_warp[warps];
  value = warp_reduce(value, operation);
  __syncthreads();  // of_warp may still be being read from the call before
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  T result = of_warp[0];
#pragma unroll
  for (int warp = 1; warp < warps; ++warp) result = operation(result, of_warp[warp]);
  return result;
}

// A grid that ends in grid_sum may have this many blocks; each stores one double in the stream's scratch.
constexpr std::int64_t max_sum_blocks = 1024;

// Adds `mine` over all threads of the grid. One thread of the grid, of the block that happens to arrive last,
// gets the total and true; all others false. The order of the additions does not depend on who arrives when.
template <int warps>
__device__ bool grid_sum(double mine, const ReductionScratch& scratch, double* total) {
  __shared__ bool is_last;
  auto* parts = static_cast<double*>(scratch.parts);
  const double of_block = block_reduce<warps>(mine, Add{});
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = of_block;
    __threadfence();  // the part is visible before it is counted
    is_last = atomicInc(scratch.arrived, gridDim.x - 1) == gridDim.x - 1;  // and the counter is 0 again
    __threadfence();  // all parts were counted before they are read
  }
  __syncthreads();
  if (!is_last) return false;
  double sum = 0;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += 32 * warps) sum += __ldcg(parts + block);
  *total = block_reduce<warps>(sum, Add{});
  return threadIdx.x == 0;
}

inline ReductionScratch reduction_scratch(Stream& stream) {
  return dynamic_cast<CudaStream&>(stream).reduction_scratch();
}

}  // namespace breakeven
