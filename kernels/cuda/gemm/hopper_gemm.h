// SPDX-License-Identifier: Apache-2.0
// The highest rung of the ladder: bf16 and fp16 products by Hopper's tensor memory copies and warp-group
// products. Only GPUs of compute capability 9.0 have those.
#pragma once

#include <array>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

// BM x BN. In ping-pong one warp group multiplies a tile while the other finishes its own. Where k is cut,
// the blocks of a tile are a cluster, of at most eight: those of a tile that shares its operands with
// another's are in the same.
struct HopperTile {
  int m, n;
  bool ping_pong;
  int max_split_k;
};
inline constexpr std::array<HopperTile, 6> hopper_tiles{{{128, 64, false, 8},
                                                         {64, 128, true, 1},
                                                         {128, 128, false, 4},
                                                         {128, 128, true, 1},
                                                         {128, 256, false, 1},
                                                         {128, 128, false, 8}}};

// A tile by its number in hopper_tiles, and what k is cut into: a power of two.
struct HopperChoice {
  int tile;
  int split_k;
};

// Instantiated by cmake/gemm_instances.cmake.
template <Precision precision, GemmLayout layout>
void launch_hopper_tile(const HopperChoice& choice, const GemmProblem& problem, CudaStream& stream);

// The same with Adam's update beside the product, in tiles of 128 x tile_n.
template <Precision precision>
void launch_hopper_update(int tile_n, const GemmProblem& problem, CudaStream& stream);

}  // namespace breakeven
