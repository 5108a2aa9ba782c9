// SPDX-License-Identifier: Apache-2.0
// The Hopper rung of the ladder: C = A B from bf16 or fp16 operands by wgmma. One warp group keeps the copy
// engine (TMA) fetching tiles into a ring of stages in shared memory, two multiply them, and the grid stays
// for all tiles of C, so that the fetching of the next tile runs under the finishing of this one.
#pragma once

#include "kernels/cuda/gemm/hopper_finish.cuh"
#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"
#include "kernels/cuda/gemm/hopper_wgmma.cuh"
#include "kernels/cuda/launch_order.cuh"

namespace breakeven::hopper {

// What a block needs to know of its part in the product.
struct Work {
  TileOrder order;
  int k_steps;
  int rank;           // of the block in its cluster
  int first, stride;  // of the tiles that its cluster computes
};

// One thread: fetches every tile of A and of B that the block multiplies, and its part of B for the others.
template <GemmLayout layout, typename Tile>
__device__ void fetch(const CUtensorMap& a, const CUtensorMap& b, const Work& work, Shared<Tile>& shared) {
  constexpr bool a_along_k = layout != GemmLayout::tn, b_along_k = layout == GemmLayout::nt;
  constexpr int part = Tile::BN / Tile::cluster;  // of B that this block fetches
  constexpr std::uint16_t everyone = (1u << Tile::cluster) - 1;
  const auto fetch_b = [&](int x, int y, unsigned char* to, std::uint64_t& full) {
    if constexpr (Tile::cluster > 1) {
      load_box_for(everyone, b, x, y, to, full);
    } else {
      load_box(b, x, y, to, full);
    }
  };
  RingPlace<Tile::stages> place;
  for (int tile = work.first; tile < work.order.count(); tile += work.stride) {
    const int2 at = work.order.at(tile);
    const int row = (at.x * Tile::cluster + work.rank) * Tile::BM;
    const int col = at.y * Tile::BN + work.rank * part;
    for (int step = 0; step < work.k_steps; ++step) {
      const int k = step * Tile::BK;
      std::uint64_t& full = shared.ring.full[place.stage];
      unsigned char* to_a = shared.stages[place.stage];
      unsigned char* to_b = to_a + Tile::a_bytes + work.rank * part * Tile::row_bytes;
      wait(shared.ring.empty[place.stage], place.parity ^ 1);
      arrive_and_expect(full, Tile::stage_bytes);
      if constexpr (a_along_k) {
        load_box_and_keep(a, k, row, to_a, full);
      } else {
        for (int i = 0; i < Tile::BM / 64; ++i) {
          load_box_and_keep(a, row + 64 * i, k, to_a + i * Tile::row_block_bytes, full);
        }
      }
      if constexpr (b_along_k) {
        fetch_b(k, col, to_b, full);
      } else {
        for (int i = 0; i < part / 64; ++i) fetch_b(col + 64 * i, k, to_b + i * Tile::row_block_bytes, full);
      }
      place.advance();
    }
  }
}

// Adds one stage: A's rows of this warp group begin at `a`.
template <typename Element, GemmLayout layout, typename Tile>
__device__ void multiply(std::uint32_t a, std::uint32_t b, bool first,
                         float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
  constexpr bool across_a = layout == GemmLayout::tn, across_b = layout != GemmLayout::nt;
  constexpr int k_bytes_across = 16 * Tile::row_bytes, k_bytes_along = 16 * 2;  // from one wgmma to the next
  constexpr int step_a = across_a ? k_bytes_across : k_bytes_along;
  constexpr int step_b = across_b ? k_bytes_across : k_bytes_along;
#pragma unroll
  for (int i = 0; i < Tile::BK / 16; ++i) {
    const std::uint64_t tile_b = describe_tile(b + i * step_b, Tile::row_block_bytes);
#pragma unroll
    for (int block = 0; block < Tile::row_blocks; ++block) {
      const std::uint64_t tile_a =
          describe_tile(a + block * Tile::row_block_bytes + i * step_a, Tile::row_block_bytes);
      add_product<Element, Tile::BN, across_a, across_b>(tile_a, tile_b, i > 0 || !first, sums[block]);
    }
  }
}

// A warp group: multiplies its tiles, or its half of every tile, and finishes their elements.
template <typename Element, GemmLayout layout, typename Tile, typename Epilogue>
__device__ void multiply_and_finish(const GemmProblem& p, const Work& work, int group, Shared<Tile>& shared,
                                    Epilogue& epilogue) {
  const int lane = threadIdx.x % 32;
  const int first_row = Tile::ping_pong ? 0 : group * Tile::row_blocks * Tile::block_rows;
  const auto release = [&](int stage) {
    __syncwarp();
    if (lane < Tile::cluster) arrive_at(shared.ring.empty[stage], lane);
  };
  RingPlace<Tile::stages> place;
  int turn = 0;
  for (int tile = work.first; tile < work.order.count(); tile += work.stride, ++turn) {
    if (Tile::ping_pong && turn % 2 != group) {  // the other warp group's
      place.advance(work.k_steps);
      continue;
    }
    const int2 at = work.order.at(tile);
    RowSums<Element, Tile, Epilogue> row_sums(at.y == 0);
    float sums[Tile::row_blocks][Tile::BN / 2];
    const int row = (at.x * Tile::cluster + work.rank) * Tile::BM + first_row;
    // A parity repeats every second round: who waited for a stage before the other group had seen all of its
    // own would take the other's tile for its own.
    if (Tile::ping_pong && turn > 0) wait_for_turn(group);
    int before = -1;  // the stage whose products may still be under way
    for (int step = 0; step < work.k_steps; ++step) {
      const unsigned char* stage = shared.stages[place.stage];
      const unsigned char* a = stage + first_row * Tile::row_bytes;
      wait(shared.ring.full[place.stage], place.parity);
      begin_products();
      multiply<Element, layout, Tile>(shared_address(a), shared_address(stage + Tile::a_bytes), step == 0,
                                      sums);
      commit_products();
      row_sums.add(a);
      wait_for_products<1>();
      if (before >= 0) release(before);
      before = place.stage;
      place.advance();
    }
    if (Tile::ping_pong && tile + work.stride < work.order.count()) pass_turn(group);
    wait_for_products<0>();
    release(before);
    row_sums.finish(row, p.m, group, shared.scratch[group], epilogue);
    finish<Tile>(sums, row, at.y * Tile::BN, p, shared.scratch[group], epilogue);
  }
}

// The same with the epilogue that the product asks for.
template <typename Element, GemmLayout layout, typename Tile>
__device__ void multiply_and_finish(const GemmProblem& p, const Work& work, int group, Shared<Tile>& shared) {
  const auto run = [&](auto epilogue) {
    multiply_and_finish<Element, layout, Tile>(p, work, group, shared, epilogue);
    return epilogue;
  };
  const EpilogueKind kind = p.epilogue.kind;
  const bool wide = p.c_element == breakeven::Element::fp32;
  if constexpr (layout == GemmLayout::nt) {
    if (kind == EpilogueKind::bias_relu_dropout) {
      run(BiasReluDropoutEpilogue<Element>(p));
    } else if (kind == EpilogueKind::squared_error) {
      add_to_loss<Tile>(p.epilogue, run(SquaredErrorEpilogue<Element>(p)).squares, shared.squares);
    } else if (kind == EpilogueKind::add_bias) {
      wide ? (void)run(AddBiasEpilogue<float>(p)) : (void)run(AddBiasEpilogue<Element>(p));
    } else {
      wide ? (void)run(StoreEpilogue<float>(p)) : (void)run(StoreEpilogue<Element>(p));
    }
  } else if constexpr (layout == GemmLayout::nn) {
    if (kind == EpilogueKind::relu_backward) {
      run(ReluBackwardEpilogue<Element>(p));
    } else {
      wide ? (void)run(StoreEpilogue<float>(p)) : (void)run(StoreEpilogue<Element>(p));
    }
  } else {
    if (kind == EpilogueKind::adam) {
      run(AdamEpilogue<Element>(p, shared.adam));
    } else if (kind == EpilogueKind::weight_gradient) {
      run(WeightGradientEpilogue(p));
    } else {
      run(StoreEpilogue<float>(p));
    }
  }
}

template <GemmLayout layout, typename Tile>
__device__ void prepare(const GemmProblem& p, Shared<Tile>& shared) {
  constexpr int reading_warps = Tile::ping_pong ? 4 : 8;
  for (int stage = 0; stage < Tile::stages; ++stage) {
    init_barrier(shared.ring.full[stage], 1);
    init_barrier(shared.ring.empty[stage], reading_warps * Tile::cluster);
  }
  fence_barrier_init();
}

template <typename Element, GemmLayout layout, typename Tile>
__global__ __launch_bounds__(Tile::threads, 1) void gemm_hopper_kernel(const __grid_constant__ CUtensorMap a,
                                                                       const __grid_constant__ CUtensorMap b,
                                                                       const __grid_constant__ GemmProblem p,
                                                                       TileOrder order) {
// wgmma and setmaxnreg exist on sm_90a and nowhere else, not even on later GPUs; for any other architecture
// that the program is built for the assembler must not see them. The host never launches this there.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) unsigned char dynamic[];
  Shared<Tile>& shared = *reinterpret_cast<Shared<Tile>*>(dynamic);
  const int group = __shfl_sync(~0u, threadIdx.x / Tile::group_threads, 0);
  const Work work{order, (p.k + Tile::BK - 1) / Tile::BK, static_cast<int>(block_in_cluster()),
                  static_cast<int>(blockIdx.x) / Tile::cluster, static_cast<int>(gridDim.x) / Tile::cluster};
  if (threadIdx.x == 0) {
    prefetch_map(a);
    prefetch_map(b);
    prepare<layout>(p, shared);
  }
  start_after_predecessor();
  if (layout == GemmLayout::tn && p.epilogue.kind == EpilogueKind::adam && threadIdx.x == 32) {
    shared.adam = adam_factors(p.epilogue.adam, *p.epilogue.state);
  }
  synchronize_cluster();
  if (group == 0) {
    keep_registers<40>();
    if (threadIdx.x == 0) fetch<layout, Tile>(a, b, work, shared);
  } else {
    take_registers<232>();
    multiply_and_finish<Element, layout, Tile>(p, work, group - 1, shared);
  }
  __syncwarp();
  synchronize_cluster();  // no block may go while another can still arrive at its barriers
#else
  __trap();
#endif
}

}  // namespace breakeven::hopper
