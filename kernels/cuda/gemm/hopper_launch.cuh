// SPDX-License-Identifier: Apache-2.0
// The launch of the Hopper kernel for one choice of element, layout, tile and epilogue.
#pragma once

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm/hopper.cuh"
#include "kernels/cuda/gemm/hopper_map.h"

namespace breakeven::hopper {

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
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {Tile::cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = Tile::cluster;
  config.blockDim = Tile::threads;
  config.dynamicSmemBytes = sizeof(Shared<Tile>);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  static const int resident = resident_clusters<Tile>(reinterpret_cast<const void*>(kernel), config);

  const auto tiles = [](int size, int tile) { return (size + tile - 1) / tile; };
  const TileOrder order{tiles(p.m, Tile::BM * Tile::cluster), tiles(p.n, Tile::BN)};
  const int clusters = std::min(resident, order.tiles_m * order.tiles_n);
  config.gridDim = static_cast<unsigned>(clusters * Tile::cluster);
  const CUtensorMap map_a = map_of(stored_a(p, layout), layout == GemmLayout::tn ? 64 : Tile::BM);
  const CUtensorMap map_b =
      map_of(stored_b(p, layout), layout == GemmLayout::nt ? Tile::BN / Tile::cluster : 64);
  CUDA_CALL(cudaLaunchKernelEx(&config, kernel, map_a, map_b, p, order), "gemm_hopper_kernel");
}

}  // namespace breakeven::hopper
