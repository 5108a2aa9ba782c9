// SPDX-License-Identifier: Apache-2.0
// The pipeline of the Hopper kernels: one producer thread issues TMA copies of tiles of A and B into a ring
// of stages in shared memory; consumer warp groups multiply them there.
#pragma once

#include "kernels/cuda/gemm/hopper_finish.cuh"
#include "kernels/cuda/gemm/hopper_fragment.cuh"
#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_row_sums.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"
#include "kernels/cuda/gemm/hopper_wgmma.cuh"
#include "kernels/cuda/random_delay.cuh"

namespace breakeven::hopper {

// A block's part in the product.
struct Work {
  TileOrder order;
  int first_step, steps;  // along k
  int first_peer, rank;   // of the blocks in the cluster that share tiles of B; this block's rank among them
  int first, stride;      // of the tiles that these blocks compute
};

template <typename Tile>
__device__ int all_steps(const GemmProblem& p) {
  return (p.k + Tile::BK - 1) / Tile::BK;
}

// The clusters of the grid take tiles in turn.
template <typename Tile>
__device__ Work share_of_work(const GemmProblem& p, const TileOrder& order) {
  return {order,
          0,
          all_steps<Tile>(p),
          0,
          static_cast<int>(block_in_cluster()),
          static_cast<int>(blockIdx.x) / Tile::cluster,
          static_cast<int>(gridDim.x) / Tile::cluster};
}

template <typename Tile>
__device__ void fetch_for_peers(const CUtensorMap& map, int x, int y, unsigned char* to, std::uint64_t& full,
                                const Work& work) {
  if constexpr (Tile::cluster > 1) {
    const auto peers = static_cast<std::uint16_t>(((1u << Tile::cluster) - 1) << work.first_peer);
    load_box_for(peers, map, x, y, to, full);
  } else {
    load_box(map, x, y, to, full);
  }
}

// Waits until no peer can arrive at this block's barriers any more. `place` follows the last stage.
template <typename Tile>
__device__ void wait_for_peers(RingPlace<Tile::stages> place, Shared<Tile>& shared) {
  for (int stage = 0; stage < Tile::stages && Tile::cluster > 1; ++stage) {
    wait(shared.ring.empty[place.stage], place.parity ^ 1);
    place.advance();
  }
}

// One thread: fetches all tiles of A and B that the block multiplies, and this block's part of B for its
// peers.
template <GemmLayout layout, typename Tile>
__device__ void fetch(const CUtensorMap& a, const CUtensorMap& b, const Work& work, Shared<Tile>& shared) {
  using Of = Form<layout, Tile>;
  constexpr int part = Tile::BN / Tile::cluster;  // of B that this block fetches
  const auto fetch_b = [&](int x, int y, unsigned char* to, std::uint64_t& full) {
    fetch_for_peers<Tile>(b, x, y, to, full, work);
  };
  RingPlace<Tile::stages> place;
  for (int tile = work.first; tile < work.order.count(); tile += work.stride) {
    const int2 at = work.order.at(tile);
    const int row = (at.x * Tile::cluster + work.rank) * Tile::BM;
    const int col = at.y * Tile::BN + work.rank * part;
    for (int step = 0; step < work.steps; ++step) {
      const int k = (work.first_step + step) * Tile::BK;
      std::uint64_t& full = shared.ring.full[place.stage];
      unsigned char* to_a = shared.stages[place.stage];
      unsigned char* to_b = to_a + Tile::a_bytes + work.rank * part * Tile::row_bytes;
      wait(shared.ring.empty[place.stage], place.parity ^ 1);
      be_late_at_random();
      arrive_and_expect(full, Tile::stage_bytes);
      if constexpr (Of::a_along_k) {
        load_box_and_keep(a, k, row, to_a, full);
      } else {
        for (int i = 0; i < Tile::BM / Tile::BK; ++i)
          load_box_and_keep(a, row + i * Tile::BK, k, to_a + i * Tile::across_bytes, full);
      }
      if constexpr (Of::b_along_k) {
        fetch_b(k, col, to_b, full);
      } else {
        for (int i = 0; i < part / Tile::BK; ++i)
          fetch_b(col + i * Tile::BK, k, to_b + i * Tile::across_bytes, full);
      }
      place.advance();
    }
  }
  wait_for_peers(place, shared);
}

// Adds one stage: A's rows of this warp group begin at `a`.
template <typename Dtype, GemmLayout layout, typename Tile>
__device__ void multiply(std::uint32_t a, std::uint32_t b, bool first,
                         float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
  constexpr bool across_a = !Form<layout, Tile>::a_along_k, across_b = !Form<layout, Tile>::b_along_k;
  constexpr int k_bytes_across = 16 * Tile::row_bytes, k_bytes_along = 32;  // from one wgmma to the next
  constexpr int step_a = across_a ? k_bytes_across : k_bytes_along;
  constexpr int step_b = across_b ? k_bytes_across : k_bytes_along;
#pragma unroll
  for (int i = 0; i < Tile::row_bytes / k_bytes_along; ++i) {
    const std::uint64_t tile_b = describe_tile(b + i * step_b, Tile::row_block_bytes);
#pragma unroll
    for (int block = 0; block < Tile::row_blocks; ++block) {
      const std::uint64_t tile_a =
          describe_tile(a + block * Tile::row_block_bytes + i * step_a, Tile::row_block_bytes);
      add_product<Dtype, Tile::BN, across_a, across_b>(tile_a, tile_b, i > 0 || !first, sums[block]);
    }
  }
}

// A warp releases a stage, to every peer that filled a part of it.
template <typename Tile>
__device__ void release(int stage, const Work& work, Shared<Tile>& shared) {
  __syncwarp();
  const int lane = threadIdx.x % 32;
  if (lane < Tile::cluster) arrive_at(shared.ring.empty[stage], work.first_peer + lane);
}

template <typename Dtype, GemmLayout layout, typename Tile, typename RowSums>
__device__ int multiply_steps_in_shared(const Work& work, int offset_a, Shared<Tile>& shared,
                                        RingPlace<Tile::stages>& place, RowSums& row_sums,
                                        float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
  int before = -1;  // the stage whose products may still be running
  for (int step = 0; step < work.steps; ++step) {
    const unsigned char* stage = shared.stages[place.stage];
    const unsigned char* a = stage + offset_a;
    wait(shared.ring.full[place.stage], place.parity);
    be_late_at_random();
    begin_products();
    multiply<Dtype, layout, Tile>(shared_address(a), shared_address(stage + Tile::a_bytes), step == 0, sums);
    commit_products();
    row_sums.add(a);
    wait_for_products<1>();
    if (before >= 0) release(before, work, shared);
    before = place.stage;
    place.advance();
  }
  return before;
}

// The same with A from registers. The fragments of a wgmma are loaded while the two before it are running.
template <typename Tile, typename RowSums>
class RegisterSteps {
 public:
  __device__ RegisterSteps(const Work& work, int offset_a, Shared<Tile>& shared,
                           RingPlace<Tile::stages>& place, RowSums& row_sums,
                           float (&sums)[Tile::row_blocks][Tile::BN / 2])
      : work_(work), offset_a_(offset_a), shared_(shared), place_(place), row_sums_(row_sums), sums_(sums) {}

  __device__ int run() {
    await_stage();
    load(0);
    for (int step = 0; step + 1 < work_.steps; ++step) multiply<false>(step == 0);
    multiply<true>(work_.steps == 1);
    return before_;
  }

 private:
  static constexpr int k_bytes = 32, together = Tile::row_bytes / k_bytes;  // of one wgmma; wgmmas of a stage

  __device__ void await_stage() {
    wait(shared_.ring.full[place_.stage], place_.parity);
    be_late_at_random();
  }
  __device__ void load(int i) {
    const unsigned char* const a = shared_.stages[place_.stage] + offset_a_;
#pragma unroll
    for (int block = 0; block < Tile::row_blocks; ++block)
      load_fragment(a + block * Tile::row_block_bytes, i, fragments_[i][block]);
  }

  template <bool is_last>
  __device__ void multiply(bool first) {
    const int stage = place_.stage;
    const std::uint32_t b = shared_address(shared_.stages[stage] + Tile::a_bytes);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      if (i + 1 < together) {
        load(i + 1);
      } else {
        fence_before_copies();  // the stage is filled again
        place_.advance();
        if constexpr (!is_last) {
          await_stage();
          load(0);
        }
      }
      row_sums_.add(fragments_[i]);
      begin_products();
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
        add_product<Tile::BN>(fragments_[i][block], describe_tile(b + i * k_bytes, Tile::row_block_bytes),
                              i > 0 || !first, sums_[block]);
      }
      commit_products();
      wait_for_products<2>();
      if (i == 1 && before_ >= 0) release(before_, work_, shared_);
    }
    before_ = stage;
  }

  const Work& work_;
  const int offset_a_;
  Shared<Tile>& shared_;
  RingPlace<Tile::stages>& place_;
  RowSums& row_sums_;
  float (&sums_)[Tile::row_blocks][Tile::BN / 2];
  std::uint32_t fragments_[together][Tile::row_blocks][4];
  int before_ = -1;  // the stage whose products may still be running
};

// Multiplies all stages of one tile by a consumer warp group, whose rows of A begin `offset_a` into a stage.
// Returns the last stage, whose products may still be running.
template <typename Dtype, GemmLayout layout, typename Tile, typename RowSums>
__device__ int multiply_steps(const Work& work, int offset_a, Shared<Tile>& shared,
                              RingPlace<Tile::stages>& place, RowSums& row_sums,
                              float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
  if constexpr (Form<layout, Tile>::a_in_registers) {
    return RegisterSteps<Tile, RowSums>(work, offset_a, shared, place, row_sums, sums).run();
  } else {
    return multiply_steps_in_shared<Dtype, layout>(work, offset_a, shared, place, row_sums, sums);
  }
}

// The first row of a warp group in a block's tile.
template <typename Tile>
__device__ int first_row_of(int group) {
  return Tile::ping_pong ? 0 : group * Tile::row_blocks * Tile::block_rows;
}

// A consumer warp group: multiplies its tiles, or its half of every tile, and calls `take(sums, row, col)`
// with their place in C.
template <typename Dtype, GemmLayout layout, typename Tile, typename Epilogue, typename Take>
__device__ void multiply_tiles(const GemmProblem& p, const Work& work, int group, Shared<Tile>& shared,
                               Epilogue& epilogue, const Take& take) {
  const int first_row = first_row_of<Tile>(group);
  RingPlace<Tile::stages> place;
  int turn = 0;
  for (int tile = work.first; tile < work.order.count(); tile += work.stride, ++turn) {
    if (Tile::ping_pong && turn % 2 != group) {  // the other warp group's
      place.advance(work.steps);
      continue;
    }
    const int2 at = work.order.at(tile);
    const int row = (at.x * Tile::cluster + work.rank) * Tile::BM + first_row;
    RowSums<Dtype, Tile, Epilogue> row_sums(at.y == 0 && p.sums_rows);
    float sums[Tile::row_blocks][Tile::BN / 2];
    // A parity repeats every second round. A group that waited for a stage before the other group had seen
    // all of its own would take the other's tile for its own.
    if (Tile::ping_pong && turn > 0) wait_for_turn(group);
    const int last =
        multiply_steps<Dtype, layout, Tile>(work, first_row * Tile::row_bytes, shared, place, row_sums, sums);
    if (Tile::ping_pong && tile + work.stride < work.order.count()) pass_turn(group);
    wait_for_products<0>();
    keep_after_wait(sums);
    release(last, work, shared);
    row_sums.finish(row, p.m, group, shared.scratch[group], epilogue);
    take(sums, row, at.y * Tile::BN);
  }
}

template <typename Tile>
__device__ void prepare(Shared<Tile>& shared) {
  constexpr int reading_warps = Tile::ping_pong ? 4 : 8;
  for (int stage = 0; stage < Tile::stages; ++stage) {
    init_barrier(shared.ring.full[stage], 1);
    init_barrier(shared.ring.empty[stage], reading_warps * Tile::cluster);
  }
  fence_barrier_init();
}

}  // namespace breakeven::hopper
