// SPDX-License-Identifier: Apache-2.0
// Launches gemm_hopper_update_kernel. Used by the instantiations (hopper_PRECISION_update.cu).
#pragma once

#include "kernels/cuda/gemm/hopper_launch.cuh"
#include "kernels/cuda/gemm/hopper_update.cuh"

namespace breakeven {
namespace hopper {

template <typename Dtype, typename Tile>
void launch_update(const GemmProblem& p, CudaStream& stream) {
  constexpr GemmLayout layout = GemmLayout::tn;
  static_assert(sizeof(UpdateShared<Tile>) <= most_shared_bytes);
  const auto kernel = gemm_hopper_update_kernel<Dtype, Tile>;
  ClusterLaunch launch(reinterpret_cast<const void*>(kernel), Tile::cluster, Tile::threads,
                       sizeof(UpdateShared<Tile>), stream.raw());
  static const int resident = launch.resident_clusters();
  const TileOrder order = order_of<layout, Tile>(p);
  int clusters = std::min(resident, order.tiles_m * order.tiles_n);
  float* sums = nullptr;
  if (!Tile::sums_in_shared) {
    const GemmScratch scratch = stream.gemm_scratch();
    constexpr std::size_t of_cluster = Tile::cluster * Tile::quads * sizeof(Quad);
    clusters = std::min(clusters, static_cast<int>(scratch.sums_bytes / of_cluster));
    sums = scratch.sums;
  }
  const auto state_map = [&](const float* of) {
    return map_of_floats({of, p.m, p.n, p.ldc, breakeven::Dtype::fp32}, Tile::chunk_rows, Tile::chunk_cols);
  };
  const AdamArrays& weight = p.epilogue.weight;
  const StateMaps maps{state_map(weight.parameter), state_map(weight.first_moment),
                       state_map(weight.second_moment)};
  CUDA_CALL(cudaLaunchKernelEx(launch.of_clusters(clusters), kernel, map_of_a<layout, Tile>(p),
                               map_of_b<layout, Tile>(p), maps, p, order, sums),
            "gemm_hopper_update_kernel");
}

}  // namespace hopper

template <Precision precision>
void launch_hopper_update(int tile_n, const GemmProblem& p, CudaStream& stream) {
  using Dtype = hopper::OperandOf<precision>;
  if (tile_n == 256) {
    hopper::launch_update<Dtype, hopper::UpdateTile<256, 4, 2, 3, 3, false>>(p, stream);
  } else {
    hopper::launch_update<Dtype, hopper::UpdateTile<128, 3, 2, 3, 7, true>>(p, stream);
  }
}

}  // namespace breakeven
