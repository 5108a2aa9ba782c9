// SPDX-License-Identifier: Apache-2.0
// The compiled forms of the asynchronous kernel, one file for each precision and layout.
#pragma once

#include <span>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

struct AsyncLaunch {
  std::span<const GemmProblem> problems;
  int parts;
  int compute_capability;
  CudaStream& stream;
};

// Defined in async_PRECISION_LAYOUT.cu. `tile` counts async_tiles.
template <Precision precision, GemmLayout layout>
void launch_async_tile(int tile, const AsyncLaunch& launch);

using AsyncInstance = void (*)(int tile, const AsyncLaunch& launch);

template <Precision precision>
constexpr std::array<AsyncInstance, 3> async_layouts{launch_async_tile<precision, GemmLayout::nt>,
                                                     launch_async_tile<precision, GemmLayout::nn>,
                                                     launch_async_tile<precision, GemmLayout::tn>};

inline AsyncInstance async_instance(GemmLayout layout, Precision precision) {
  static constexpr std::array instances{async_layouts<Precision::fp32>, async_layouts<Precision::tf32x3>,
                                        async_layouts<Precision::tf32>, async_layouts<Precision::bf16>,
                                        async_layouts<Precision::fp16>};
  return instances[static_cast<std::size_t>(precision)][static_cast<std::size_t>(layout)];
}

}  // namespace breakeven
