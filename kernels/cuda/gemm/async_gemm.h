// SPDX-License-Identifier: Apache-2.0
// The GEMM kernels warp-tiled (fp32 on CUDA cores) and tensor-core (all other precisions), which share their
// code.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

// BM x BN, from the smallest to the largest. The same in every precision.
struct TileExtent {
  int m, n;
};
inline constexpr std::array<TileExtent, 4> async_tiles{{{32, 64}, {64, 64}, {128, 64}, {128, 128}}};
constexpr int async_step_bytes = 128;  // of k: 32 elements of fp32, 64 of bf16 or fp16
constexpr int max_split_k = 8;         // blocks of the largest portable cluster
constexpr std::size_t most_in_a_group = 8;

// The index of a tile, and split-k: 1, 2, 4 or 8.
struct AsyncChoice {
  int tile;
  int split_k;
};

// Whether k is long enough for this split-k.
bool split_k_fits(Precision precision, std::int64_t k, int split_k);

}  // namespace breakeven
