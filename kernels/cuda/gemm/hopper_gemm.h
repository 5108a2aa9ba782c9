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

// Whether this rung computes the product on such a GPU: 16-bit operands whose rows start on 16-byte borders.
bool hopper_fits(const Product& product, int compute_capability);

// Whether it is to be expected that this rung is the fastest: there is much to multiply, for most of the
// multiprocessors.
bool hopper_pays(const Product& product, int multiprocessors);

// Whether a kernel has this tile with so many parts, each with something to do.
bool hopper_offers(const Product& product, const HopperChoice& choice);

// By rule: large tiles reread less of A and B, small ones and parts leave fewer multiprocessors idle. An
// update's tiles are those of hopper_update.cuh where there are enough of them.
HopperChoice choose_hopper(const Product& product, int multiprocessors);

void gemm_hopper(GemmLayout layout, Precision precision, const HopperChoice& choice,
                 const GemmProblem& problem, CudaStream& stream);

// Defined in hopper_PRECISION_LAYOUT.cu.
template <Precision precision, GemmLayout layout>
void launch_hopper_tile(const HopperChoice& choice, const GemmProblem& problem, CudaStream& stream);

// The same with Adam's update beside the product, in tiles of 128 x tile_n: hopper_PRECISION_update.cu.
template <Precision precision>
void launch_hopper_update(int tile_n, const GemmProblem& problem, CudaStream& stream);

}  // namespace breakeven
