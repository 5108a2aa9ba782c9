// SPDX-License-Identifier: Apache-2.0
// The time that a product is expected to take, from which the kernel, tile and split-k of a product are
// chosen that no table of measured products has (docs/kernels.md, "Products that the table lacks").
#pragma once

#include <array>
#include <cstdint>

#include "kernels/product.h"

namespace breakeven {

// What a product is for: its epilogue moves other bytes.
enum class GemmUse : std::uint8_t { forward, data_gradient, weight_gradient, update, loss };
inline constexpr std::size_t gemm_uses = 5;
GemmUse use_of(const Product& product);

// Of one of a kernel's tiles, in microseconds: a step along k, all else that a block does for a tile, and
// what split-k adds to that.
struct TileCost {
  double step, tile, split;
};

// Of a kernel in a precision. The factors and the bandwidth (TB/s) are indexed by GemmUse.
struct GemmCost {
  double launch;          // microseconds of every launch
  double copy_bandwidth;  // TB/s of a transposed copy
  std::array<double, gemm_uses> bandwidth, step_factor, tile_factor;
  std::array<TileCost, 6> tiles;
};

// How a variant divides a product.
struct GemmWork {
  int tile;
  bool is_split;
  double steps;   // along k, of a block
  double rounds;  // of as many blocks as run at one time: below 1 if fewer do
};

// The larger of two whole numbers of rounds counts: of blocks, and of blocks on the busiest multiprocessor.
double rounds_of(std::int64_t blocks, int multiprocessors, int blocks_a_multiprocessor);

// What is read and written once each: operands, result and the epilogue's inputs.
double bytes_of(const Product& product);

// In microseconds, on an H200; other GPUs are expected to rank variants alike.
double expected_us(const GemmCost& cost, GemmUse use, const GemmWork& work, double bytes);

// The same of kernels that update weights while they multiply.
double expected_update_us(const GemmCost& cost, const GemmWork& work, double bytes);

}  // namespace breakeven
