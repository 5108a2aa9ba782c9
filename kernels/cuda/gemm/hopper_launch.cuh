// SPDX-License-Identifier: Apache-2.0
// Launches gemm_hopper_kernel with a tile: what the instantiations (hopper_PRECISION_LAYOUT.cu) are made of.
#pragma once

#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm/hopper.cuh"
#include "kernels/cuda/gemm/hopper_gemm.h"
#include "kernels/cuda/gemm/hopper_map.h"

namespace breakeven {
namespace hopper {

inline ConstMatrix stored_a(const GemmProblem& p, GemmLayout layout) {
  return layout == GemmLayout::tn ? ConstMatrix{p.a, p.k, p.m, p.lda, p.element}
                                  : ConstMatrix{p.a, p.m, p.k, p.lda, p.element};
}
inline ConstMatrix stored_b(const GemmProblem& p, GemmLayout layout) {
  return layout == GemmLayout::nt ? ConstMatrix{p.b, p.n, p.k, p.ldb, p.element}
                                  : ConstMatrix{p.b, p.k, p.n, p.ldb, p.element};
}

// The clusters of this kernel that the GPU holds at one time.
template <typename Tile>
int resident_clusters(const void* kernel, const cudaLaunchConfig_t& config) {
  CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared<Tile>)));
  int clusters = 0;
  CUDA_CALL(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  return clusters;
}

template <typename Element, GemmLayout layout, typename Tile>
void launch(const GemmProblem& p, cudaStream_t stream) {
  const auto kernel = gemm_hopper_kernel<Element, layout, Tile>;
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {Tile::cluster, 1, 1};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = Tile::cluster;
  config.blockDim = Tile::threads;
  config.dynamicSmemBytes = sizeof(Shared<Tile>);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 1;
  // Of the first GPU that this process asks: a process has one.
  static const int resident = resident_clusters<Tile>(reinterpret_cast<const void*>(kernel), config);

  const auto tiles = [](int size, int tile) { return (size + tile - 1) / tile; };
  const TileOrder order{tiles(p.m, Tile::BM * Tile::cluster), tiles(p.n, Tile::BN)};
  config.gridDim = static_cast<unsigned>(std::min(resident, order.tiles_m * order.tiles_n) * Tile::cluster);
  config.numAttrs = 2;
  const CUtensorMap a = map_of(stored_a(p, layout), layout == GemmLayout::tn ? 64 : Tile::BM);
  const CUtensorMap b = map_of(stored_b(p, layout), layout == GemmLayout::nt ? Tile::BN / Tile::cluster : 64);
  CUDA_CALL(cudaLaunchKernelEx(&config, kernel, a, b, p, order), "gemm_hopper_kernel");
}

}  // namespace hopper

template <Precision precision, GemmLayout layout>
void launch_hopper_tile(int tile, const GemmProblem& problem, cudaStream_t stream) {
  using Element = std::conditional_t<precision == Precision::bf16, __nv_bfloat16, __half>;
  switch (tile) {  // as in hopper_tiles
    case 0:
      return hopper::launch<Element, layout, hopper::Tile<128, 64, 8, 1, false>>(problem, stream);
    case 1:
      return hopper::launch<Element, layout, hopper::Tile<64, 128, 6, 2, true>>(problem, stream);
    case 2:
      return hopper::launch<Element, layout, hopper::Tile<128, 128, 5, 2, false>>(problem, stream);
    case 3:
      return hopper::launch<Element, layout, hopper::Tile<128, 128, 5, 2, true>>(problem, stream);
    default:
      return hopper::launch<Element, layout, hopper::Tile<128, 256, 4, 2, false>>(problem, stream);
  }
}

}  // namespace breakeven
