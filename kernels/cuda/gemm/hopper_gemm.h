// SPDX-License-Identifier: Apache-2.0
// The GEMM kernel hopper: bf16, fp16 and TF32 products by TMA copies and wgmma, which only GPUs of compute
// capability 9.0 have.
#pragma once

#include <array>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

// BM x BN. With ping-pong one warp group multiplies a tile while the other runs the epilogue of its own. With
// split-k the blocks of a tile form a cluster of at most eight, together with those of a tile that shares its
// operands. The last tile shares with none and is there for split-k alone: one block would send to itself.
struct HopperTile {
  int m, n;
  bool ping_pong;
  int least_split_k, most_split_k;
};
inline constexpr std::array<HopperTile, 6> hopper_tiles{{{128, 64, false, 1, 8},
                                                         {64, 128, true, 1, 1},
                                                         {128, 128, false, 1, 4},
                                                         {128, 128, true, 1, 1},
                                                         {128, 256, false, 1, 1},
                                                         {128, 128, false, 2, 8}}};

// The index of a tile in hopper_tiles, and split-k, a power of two.
struct HopperChoice {
  int tile;
  int split_k;
};

// Instantiated by cmake/gemm_instances.cmake.
template <Precision precision, GemmLayout layout>
void launch_hopper_tile(const HopperChoice& choice, const GemmProblem& problem, CudaStream& stream);

// The same with Adam's update by separate warps, in tiles of 128 x tile_n.
template <Precision precision>
void launch_hopper_update(int tile_n, const GemmProblem& problem, CudaStream& stream);

}  // namespace breakeven
