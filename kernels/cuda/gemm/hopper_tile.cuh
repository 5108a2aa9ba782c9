// SPDX-License-Identifier: Apache-2.0
// How a product is divided on Hopper: the tile of a block, its stages in shared memory, and the order in
// which clusters take the tiles of C.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "kernels/adam.h"
#include "kernels/product.h"

namespace breakeven::hopper {

// The type of a value of A and B.
template <Precision precision>
using OperandOf = std::conditional_t<precision == Precision::bf16, __nv_bfloat16,
                                     std::conditional_t<precision == Precision::fp16, __half, float>>;

// A block computes a BM x BN tile of C at a time, in steps of BK along k through a ring of `stages`. Values
// are 2 or 4 bytes wide. `cluster` blocks of the same column share a tile of B: each fetches a part of it for
// all. With ping-pong each of the two consumer warp groups has its own tile, and one multiplies while the
// other runs its epilogue; otherwise they halve each tile.
template <int value_bytes_, int BM_, int BN_, int stages_, int cluster_, bool ping_pong_>
struct Tile {
  static constexpr int value_bytes = value_bytes_;
  static constexpr int row_bytes = 128;  // of a tile in shared memory
  static constexpr int BM = BM_, BN = BN_, BK = row_bytes / value_bytes_;
  static constexpr int stages = stages_, cluster = cluster_;
  static constexpr bool ping_pong = ping_pong_;

  static constexpr int group_threads = 128;
  static constexpr int threads = 3 * group_threads;  // one warp group fetches, two multiply
  static constexpr int block_rows = 64;              // of C that one wgmma computes
  static constexpr int row_blocks = BM / block_rows / (ping_pong ? 1 : 2);  // of one warp group
  static_assert(row_blocks >= 1 && row_blocks * BN <= 256, "the sums of a thread are at most 128 registers");

  static constexpr int row_block_bytes = 64 * row_bytes;
  static constexpr int across_bytes = BK * row_bytes;  // of the BK rows of A (columns of B) in a row across k
  static constexpr int a_bytes = BM * row_bytes, b_bytes = BN * row_bytes;
  static constexpr int stage_bytes = a_bytes + b_bytes;
  // The part of C that a warp finishes at a time: as wide as the shared memory left by the stages allows.
  static constexpr int slab_rows = 16, slab_cols = BN == 128 ? 128 : 64;
  static constexpr int scratch_floats = 4 * slab_rows * slab_cols;  // of each multiplying warp group
  static_assert(BN / cluster % 64 == 0, "each block of a cluster fetches whole blocks of B");
};

// How a product is computed. wgmma reads TF32 from shared memory along k only; A it also reads from
// registers, into which warps can load it from tiles across k. So C of layout nn is computed as its
// transpose, W^T dY^T, whose first operand is W, and B of layout tn is transposed before (transpose.h).
template <GemmLayout layout, typename Tile>
struct Form {
  static constexpr bool is_tf32 = Tile::value_bytes == 4;
  static constexpr bool transposed = is_tf32 && layout == GemmLayout::nn;
  static constexpr bool a_along_k = is_tf32 ? layout == GemmLayout::nt : layout != GemmLayout::tn;
  static constexpr bool b_along_k = is_tf32 || layout == GemmLayout::nt;
  static constexpr bool a_in_registers = is_tf32 && !a_along_k;
};

struct Ring {  // the barriers of the stages
  static constexpr int most_stages = 8;
  std::uint64_t full[most_stages];   // the copies have arrived
  std::uint64_t empty[most_stages];  // every reader in the cluster is done
};

template <typename Tile>
struct Shared {
  static_assert(Tile::stages <= Ring::most_stages);
  alignas(1024) unsigned char stages[Tile::stages][Tile::stage_bytes];
  alignas(16) float scratch[2][Tile::scratch_floats];
  Ring ring;
  AdamFactors adam;
  double squares[8];
};

// A stage of the ring and the parity of its current round.
template <int stages>
struct RingPlace {
  int stage = 0;
  std::uint32_t parity = 0;

  __device__ void advance(int steps = 1) {
    stage += steps;
    const int rounds = steps == 1 ? (stage == stages) : stage / stages;
    stage -= rounds * stages;
    parity ^= rounds & 1;
  }
};

// Clusters take tiles in bands of four rows, each band column by column. So concurrent clusters share few
// rows of A and columns of B, and a band's rows of A stay in L2.
struct TileOrder {
  static constexpr int band = 4;
  int tiles_m, tiles_n;

  __device__ int count() const { return tiles_m * tiles_n; }
  __device__ int2 at(int index) const {
    const int in_band = band * tiles_n;
    const int first = index / in_band * band;
    const int height =
        max(1, min(band, tiles_m - first));  // of an index behind the last, which nobody uses, too
    const int within = index % in_band;
    return {first + within % height, within / height};
  }
};

}  // namespace breakeven::hopper
