// SPDX-License-Identifier: Apache-2.0
// Sums over a warp, a block and a whole grid, deterministic: partial sums are stored and added by index,
// never in the order of arrival, so each run gets the same bits.
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
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }  // NaN only if both are
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
  __syncthreads();  // the previous call may still be reading of_warp
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  T result = of_warp[0];
#pragma unroll
  for (int warp = 1; warp < warps; ++warp) result = operation(result, of_warp[warp]);
  return result;
}

// The largest number of blocks of a grid that ends in grid_sum; each stores one double in the stream's
// scratch memory.
constexpr std::int64_t max_sum_blocks = 1024;

// Adds `mine` over all threads of the grid. One thread of the last block to arrive gets the total and true;
// all others get false. The order of additions does not depend on the order of arrival.
template <int warps>
__device__ bool grid_sum(double mine, const ReductionScratch& scratch, double* total) {
  __shared__ bool is_last;
  auto* parts = static_cast<double*>(scratch.parts);
  const double of_block = block_reduce<warps>(mine, Add{});
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = of_block;
    __threadfence();  // the partial sum is visible before it is counted
    is_last = atomicInc(scratch.arrived, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0
    __threadfence();  // partial sums are read only after all were counted
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
