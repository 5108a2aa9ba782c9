// SPDX-License-Identifier: Apache-2.0
// Shared memory of hopper_update.cuh, and how consumer warp groups pass the sums of a tile to update warps.
#pragma once

#include "kernels/cuda/gemm/hopper_pipeline.cuh"

namespace breakeven::hopper {

// A chunk is chunk_rows x chunk_cols parameters with their moments. Each update warp has `slots` of them in
// shared memory, because full memory bandwidth needs many bytes in flight. The sums of a tile are passed in
// shared memory if they fit, otherwise in global memory that stays in L2, whose bandwidth is the limit for
// short k.
template <int BN, int stages, int chunk_rows_, int slots_, int updating_warps_, bool sums_in_shared_>
struct UpdateTile : Tile<2, 128, BN, stages, 2, false> {
  static constexpr int scratch_floats = 4 * 64;  // quarters of the sums of A's rows
  // The other warps of the producer's warp group, and perhaps a warp group of their own.
  static constexpr int updating_warps = updating_warps_;
  static_assert(updating_warps == 3 || updating_warps == 7);
  static constexpr int threads = (updating_warps + 9) * 32;
  static constexpr int chunk_rows = chunk_rows_, chunk_cols = 128, slots = slots_;
  static constexpr int chunks_across = BN / chunk_cols, chunks = 128 / chunk_rows * chunks_across;
  static constexpr bool sums_in_shared = sums_in_shared_;
  static constexpr int quads = 128 * BN / 4;
};

// The tensor maps of a weight's parameters and moments.
struct StateMaps {
  CUtensorMap parameter, first_moment, second_moment;
};

template <typename Tile>
struct alignas(128) Chunk {
  static constexpr int bytes = 3 * Tile::chunk_rows * Tile::chunk_cols * static_cast<int>(sizeof(float));
  Quad parameter[Tile::chunk_rows][32], first_moment[Tile::chunk_rows][32],
      second_moment[Tile::chunk_rows][32];
};

template <typename Tile>
struct UpdateShared {
  Shared<Tile> product;
  Chunk<Tile> chunks[Tile::updating_warps][Tile::slots];
  Quad sums[Tile::sums_in_shared ? Tile::quads : 1];
  std::uint64_t arrived[Tile::updating_warps][Tile::slots];  // a chunk has
  std::uint64_t handed_over[2];                              // all sums of half a tile are written
  std::uint64_t taken[2];                                    // and have been read
};

// Where a block passes its sums: slabs of 16 rows, as a warp multiplies them.
template <typename Tile>
__device__ int handed_quad(int row, int quad) {
  return row / 16 * (4 * Tile::BN) + slab_place(row % 16, quad);
}

// A warp group's half of a tile.
template <typename Tile>
__device__ void hand_over(const float (&sums)[Tile::BN / 2], int first_row, Quad* to) {
  const int lane = threadIdx.x % 32;
  const bool lower = lane % 2 != 0;
  const int row = first_row + threadIdx.x % Tile::group_threads / 32 * 16 + lower * 8 + lane / 4;
#pragma unroll
  for (int eight = 0; eight < Tile::BN / 8; ++eight) {
    to[handed_quad<Tile>(row, 2 * eight + lane % 4 / 2)] = quad_of_pairs(sums + 4 * eight, lower);
  }
}

template <typename Tile>
__device__ void prepare(UpdateShared<Tile>& shared) {
  for (int warp = 0; warp < Tile::updating_warps; ++warp) {
    for (int slot = 0; slot < Tile::slots; ++slot) init_barrier(shared.arrived[warp][slot], 1);
  }
  // All lanes arrive, for what each has written or read: racecheck does not see what __syncwarp orders.
  for (int half = 0; half < 2; ++half) {
    init_barrier(shared.handed_over[half], Tile::group_threads);
    init_barrier(shared.taken[half], 32 * Tile::updating_warps);
  }
  prepare(shared.product);
}

}  // namespace breakeven::hopper
