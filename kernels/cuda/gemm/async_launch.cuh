// SPDX-License-Identifier: Apache-2.0
// Launches gemm_async_kernel with a tile. Used by the instantiations (async_PRECISION_LAYOUT.cu).
#pragma once

#include <bit>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/async_instances.h"
#include "kernels/cuda/gemm/async_kernel.cuh"
#include "kernels/cuda/gemm/ffma.cuh"
#include "kernels/cuda/gemm/tensor_core.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {

// Only weight gradients, which are independent, share a launch.
constexpr int group_capacity(GemmLayout layout) {
  return layout == GemmLayout::tn ? static_cast<int>(most_in_a_group) : 1;
}

// The possible split-k. Before sm_90 the parts are added through global memory, of which there may be too
// little; there only products alone in a launch are split.
template <typename Math>
int split_k_with_room(const AsyncLaunch& launch, const GemmScratch& scratch) {
  if (launch.split_k == 1 || launch.compute_capability >= 90) return launch.split_k;
  const GemmProblem& p = launch.problems.front();
  const std::int64_t tiles = std::int64_t{ceil_div(p.m, Math::BM)} * ceil_div(p.n, Math::BN);
  const std::int64_t bytes = tiles * launch.split_k * static_cast<std::int64_t>(sizeof(OwnSums<Math>));
  const bool has_room = tiles <= scratch.counters && bytes <= static_cast<std::int64_t>(scratch.sums_bytes);
  return has_room && launch.problems.size() == 1 ? launch.split_k : 1;
}

// The blocks of all problems, one after another.
template <typename Math, int capacity>
GemmGroup<capacity> arrange(const AsyncLaunch& launch) {
  using T = typename Math::Dtype;
  GemmGroup<capacity> group{};
  group.count = static_cast<int>(launch.problems.size());
  const GemmScratch scratch =
      launch.split_k > 1 && launch.compute_capability < 90 ? launch.stream.gemm_scratch() : GemmScratch{};
  const int split_k = split_k_with_room<Math>(launch, scratch);
  for (int i = 0; i < group.count; ++i) {
    const GemmProblem& p = launch.problems[static_cast<std::size_t>(i)];
    const int depth = ceil_div(ceil_div(p.k, split_k), BK<T>) * BK<T>;
    group.problem[i] = p;
    group.split_k[i] = {split_k, std::countr_zero(static_cast<unsigned>(split_k)), depth, scratch.sums,
                        scratch.arrived};
    group.tiles_m[i] = ceil_div(p.m, Math::BM);
    const int tiles = group.tiles_m[i] * ceil_div(p.n, Math::BN);
    group.first_block[i + 1] = group.first_block[i] + tiles * split_k;
  }
  return group;
}

template <typename Math, GemmLayout layout, int stages>
void launch_async(const AsyncLaunch& launch) {
  constexpr int capacity = group_capacity(layout);
  const int shared_bytes =
      AsyncWalk<Math, layout, stages>::shared_bytes(launch.split_k > 1 && launch.compute_capability >= 90);
  static_assert(Math::threads >= Math::BM, "one thread sums up each row");
  const auto kernel = gemm_async_kernel<Math, layout, stages, capacity>;
  const GemmGroup<capacity> group = arrange<Math, capacity>(launch);
  CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {static_cast<unsigned>(launch.split_k), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(group.first_block[group.count]);
  config.blockDim = Math::threads;
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = launch.stream.raw();
  config.attrs = attributes;
  config.numAttrs = launch.compute_capability < 90 ? 0 : launch.split_k > 1 ? 2 : 1;
  CUDA_CALL(cudaLaunchKernelEx(&config, kernel, group), "gemm_async_kernel");
}

// The tiles of async_gemm.h, with as many stages as leave room for two or three blocks per multiprocessor.
template <Precision precision>
struct AsyncTiles {
  static constexpr int blocks_of_largest = info_of(precision).dtype == Dtype::fp32 ? 1 : 2;
  using Tile0 = TensorCore<precision, 32, 64, 16, 32, 3>;
  using Tile1 = TensorCore<precision, 64, 64, 32, 32, 3>;
  using Tile2 = TensorCore<precision, 128, 64, 64, 32, 2>;
  using Tile3 = TensorCore<precision, 128, 128, 64, 32, blocks_of_largest>;
};
template <>
struct AsyncTiles<Precision::fp32> {
  using Tile0 = Ffma<32, 64, 4, 4, 4>;
  using Tile1 = Ffma<64, 64, 8, 4, 3>;
  using Tile2 = Ffma<128, 64, 8, 8, 2>;
  using Tile3 = Ffma<128, 128, 8, 8, 1>;
};

template <Precision precision, GemmLayout layout>
void launch_async_tile(int tile, const AsyncLaunch& launch) {
  using Tiles = AsyncTiles<precision>;
  switch (tile) {
    case 0:
      return launch_async<typename Tiles::Tile0, layout, 4>(launch);
    case 1:
      return launch_async<typename Tiles::Tile1, layout, 4>(launch);
    case 2:
      return launch_async<typename Tiles::Tile2, layout, 3>(launch);
    default:
      return launch_async<typename Tiles::Tile3, layout, 3>(launch);
  }
}

}  // namespace breakeven
