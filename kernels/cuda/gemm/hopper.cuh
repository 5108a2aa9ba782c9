// SPDX-License-Identifier: Apache-2.0
// The GEMM kernel hopper: C = A B from bf16, fp16 or TF32 operands by wgmma. One producer warp group issues
// TMA copies of tiles into a ring of stages in shared memory; two consumer warp groups multiply them. Blocks
// are persistent, so the next tile is fetched while the epilogue of this one runs.
#pragma once

#include "kernels/cuda/gemm/hopper_pipeline.cuh"
#include "kernels/cuda/gemm/hopper_transposed.cuh"
#include "kernels/cuda/launch_order.cuh"

namespace breakeven::hopper {

// A consumer warp group.
template <typename Dtype, GemmLayout layout, typename Tile>
__device__ void multiply_and_finish(const GemmProblem& p, const Work& work, int group, Shared<Tile>& shared) {
  using Of = Form<layout, Tile>;
  with_epilogue<Dtype, layout>(p, shared, [&](auto& epilogue) {
    float* const scratch = shared.scratch[group];
    multiply_tiles<Dtype, layout, Tile>(
        p, work, group, shared, epilogue, [&](const auto& sums, int row, int col) {
          if constexpr (Of::transposed) {
            finish_transposed<Tile>(sums, col, row, p, scratch, epilogue);
          } else {
            finish<Tile, Of::a_in_registers>(sums, row, col, p, scratch, epilogue);
          }
        });
  });
}

template <typename Dtype, GemmLayout layout, typename Tile>
__global__ __launch_bounds__(Tile::threads, 1) void gemm_hopper_kernel(const __grid_constant__ CUtensorMap a,
                                                                       const __grid_constant__ CUtensorMap b,
                                                                       const __grid_constant__ GemmProblem p,
                                                                       TileOrder order) {
// wgmma and setmaxnreg exist on sm_90a only, not even on later GPUs. Other architectures get an empty kernel,
// which the host never launches.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) unsigned char dynamic[];
  Shared<Tile>& shared = *reinterpret_cast<Shared<Tile>*>(dynamic);
  const int group = __shfl_sync(~0u, threadIdx.x / Tile::group_threads, 0);
  const Work work = share_of_work<Tile>(p, order);
  if (threadIdx.x == 0) {
    prefetch_map(a);
    prefetch_map(b);
    prepare(shared);
  }
  arrive_at_cluster();
  start_after_predecessor();
  if (layout == GemmLayout::tn && p.epilogue.kind == EpilogueKind::adam && threadIdx.x == 32) {
    shared.adam = adam_factors(p.epilogue.adam, *p.epilogue.state);
  }
  wait_for_cluster();
  if (group == 0) {
    keep_registers<40>();
    if (threadIdx.x == 0) fetch<layout, Tile>(a, b, work, shared);
  } else {
    take_registers<232>();
    multiply_and_finish<Dtype, layout, Tile>(p, work, group - 1, shared);
  }
#else
  __trap();
#endif
}

}  // namespace breakeven::hopper
