// SPDX-License-Identifier: Apache-2.0
// The instantiations of the asynchronous kernel. cmake/gemm_instances.cmake writes a file for each precision
// and layout.
#pragma once

#include <span>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

struct AsyncLaunch {
  std::span<const GemmProblem> problems;
  int split_k;
  int compute_capability;
  CudaStream& stream;
};

// `tile` is an index of async_tiles.
template <Precision precision, GemmLayout layout>
void launch_async_tile(int tile, const AsyncLaunch& launch);

}  // namespace breakeven
