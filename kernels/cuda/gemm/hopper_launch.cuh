// SPDX-License-Identifier: Apache-2.0
// Launches a Hopper kernel with a tile: what the instantiations (hopper_PRECISION_LAYOUT.cu) are made of.
#pragma once

#include <algorithm>
#include <bit>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm/hopper.cuh"
#include "kernels/cuda/gemm/hopper_gemm.h"
#include "kernels/cuda/gemm/hopper_map.h"
#include "kernels/cuda/gemm/hopper_split.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace hopper {

// An operand as it is stored: `sides` rows of A or columns of B.
inline ConstMatrix stored(const void* operand, std::int64_t ld, int sides, bool along_k,
                          const GemmProblem& p) {
  return along_k ? ConstMatrix{operand, sides, p.k, ld, p.dtype}
                 : ConstMatrix{operand, p.k, sides, ld, p.dtype};
}

template <GemmLayout layout, typename Tile>
CUtensorMap map_of_a(const GemmProblem& p) {
  constexpr bool along_k = Form<layout, Tile>::a_along_k;
  const ConstMatrix a = Form<layout, Tile>::transposed ? stored(p.b, p.ldb, p.n, along_k, p)
                                                       : stored(p.a, p.lda, p.m, along_k, p);
  return map_of(a, along_k ? Tile::BM : Tile::BK);
}
template <GemmLayout layout, typename Tile>
CUtensorMap map_of_b(const GemmProblem& p) {
  constexpr bool along_k = Form<layout, Tile>::b_along_k;
  const ConstMatrix b = Form<layout, Tile>::transposed ? stored(p.a, p.lda, p.m, along_k, p)
                                                       : stored(p.b, p.ldb, p.n, along_k, p);
  return map_of(b, along_k ? Tile::BN / Tile::cluster : Tile::BK);
}

template <GemmLayout layout, typename Tile>
TileOrder order_of(const GemmProblem& p) {
  constexpr bool transposed = Form<layout, Tile>::transposed;
  return {ceil_div(transposed ? p.n : p.m, Tile::BM * Tile::cluster),
          ceil_div(transposed ? p.m : p.n, Tile::BN)};
}

constexpr std::size_t most_shared_bytes = 227 * 1024;  // of a block

// Launches a kernel in clusters, with nearly all shared memory of a multiprocessor.
class ClusterLaunch {
 public:
  ClusterLaunch(const void* kernel, int cluster, int threads, std::size_t shared_bytes, cudaStream_t stream)
      : kernel_(kernel), cluster_(cluster) {
    attributes_[0].id = cudaLaunchAttributeClusterDimension;
    attributes_[0].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    attributes_[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes_[1].val.programmaticStreamSerializationAllowed = 1;
    config_.gridDim = static_cast<unsigned>(cluster);
    config_.blockDim = static_cast<unsigned>(threads);
    config_.dynamicSmemBytes = shared_bytes;
    config_.stream = stream;
    config_.attrs = attributes_;
    config_.numAttrs = 1;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;  // config_ points into it
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;

  // The number of clusters that run on the GPU at one time. Also allows the kernel its shared memory.
  int resident_clusters() {
    CUDA_CALL(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(config_.dynamicSmemBytes)));
    int clusters = 0;
    CUDA_CALL(cudaOccupancyMaxActiveClusters(&clusters, kernel_, &config_));
    return clusters;
  }

  const cudaLaunchConfig_t* of_clusters(int clusters) {
    config_.gridDim = static_cast<unsigned>(clusters * cluster_);
    config_.numAttrs = 2;
    return &config_;
  }

 private:
  const void* kernel_;
  int cluster_;
  cudaLaunchAttribute attributes_[2]{};
  cudaLaunchConfig_t config_{};
};

template <typename Dtype, GemmLayout layout, typename Tile>
void launch(const GemmProblem& p, CudaStream& stream) {
  static_assert(sizeof(Shared<Tile>) <= most_shared_bytes);
  const auto kernel = gemm_hopper_kernel<Dtype, layout, Tile>;
  ClusterLaunch launch(reinterpret_cast<const void*>(kernel), Tile::cluster, Tile::threads,
                       sizeof(Shared<Tile>), stream.raw());
  static const int resident = launch.resident_clusters();  // for the first GPU: a process uses one
  const TileOrder order = order_of<layout, Tile>(p);
  const int clusters = std::min(resident, order.tiles_m * order.tiles_n);
  CUDA_CALL(cudaLaunchKernelEx(launch.of_clusters(clusters), kernel, map_of_a<layout, Tile>(p),
                               map_of_b<layout, Tile>(p), p, order),
            "gemm_hopper_kernel");
}

template <typename Dtype, GemmLayout layout, typename Tile>
void launch_split(const GemmProblem& p, int split_k, CudaStream& stream) {
  static_assert(sizeof(SplitShared<Tile>) <= most_shared_bytes);
  const auto kernel = gemm_hopper_split_kernel<Dtype, layout, Tile>;
  ClusterLaunch launch(reinterpret_cast<const void*>(kernel), Tile::cluster * split_k, Tile::threads,
                       sizeof(SplitShared<Tile>), stream.raw());
  [[maybe_unused]] static const int resident = launch.resident_clusters();
  const TileOrder order = order_of<layout, Tile>(p);
  const HopperSplitK of_k{split_k, std::countr_zero(static_cast<unsigned>(split_k)),
                          ceil_div(ceil_div(p.k, split_k), Tile::BK)};
  CUDA_CALL(cudaLaunchKernelEx(launch.of_clusters(order.tiles_m * order.tiles_n), kernel,
                               map_of_a<layout, Tile>(p), map_of_b<layout, Tile>(p), p, order, of_k),
            "gemm_hopper_split_kernel");
}

// TMA copies the parameters of a weight, so its rows must be aligned.
inline bool updates_beside(const GemmProblem& p) {
  return p.epilogue.kind == EpilogueKind::adam && p.epilogue.vectorised &&
         p.epilogue.working_weight != nullptr;
}

}  // namespace hopper

template <Precision precision, GemmLayout layout>
void launch_hopper_tile(const HopperChoice& choice, const GemmProblem& p, CudaStream& stream) {
  using namespace hopper;
  using Dtype = OperandOf<precision>;
  constexpr int bytes = sizeof(Dtype);
  if constexpr (layout == GemmLayout::tn && bytes == 2) {
    const HopperTile& tile = hopper_tiles[static_cast<std::size_t>(choice.tile)];
    if (updates_beside(p) && tile.m * tile.n >= 128 * 128) {
      return launch_hopper_update<precision>(tile.n, p, stream);
    }
  }
  switch (choice.tile) {  // as in hopper_tiles
    case 0:
      if (choice.split_k > 1)
        return launch_split<Dtype, layout, SplitTile<bytes, 64, 7, 1>>(p, choice.split_k, stream);
      return launch<Dtype, layout, Tile<bytes, 128, 64, 8, 1, false>>(p, stream);
    case 1:
      return launch<Dtype, layout, Tile<bytes, 64, 128, 6, 2, true>>(p, stream);
    case 2:
      if (choice.split_k > 1)
        return launch_split<Dtype, layout, SplitTile<bytes, 128, 4, 2>>(p, choice.split_k, stream);
      return launch<Dtype, layout, Tile<bytes, 128, 128, 5, 2, false>>(p, stream);
    case 3:
      return launch<Dtype, layout, Tile<bytes, 128, 128, 5, 2, true>>(p, stream);
    case 4:
      return launch<Dtype, layout, Tile<bytes, 128, 256, 4, 2, false>>(p, stream);
    default:
      return launch_split<Dtype, layout, SplitTile<bytes, 128, 4, 1>>(p, choice.split_k, stream);
  }
}

}  // namespace breakeven
