// SPDX-License-Identifier: Apache-2.0
// The highest rung of the ladder: bf16 and fp16 products by Hopper's tensor memory copies and warp-group
// products. Only GPUs of compute capability 9.0 have those.
#pragma once

#include <cuda_runtime_api.h>

#include <array>

#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

// BM x BN. In ping-pong one warp group multiplies a tile while the other finishes its own.
struct HopperTile {
  int m, n;
  bool ping_pong;
};
inline constexpr std::array<HopperTile, 5> hopper_tiles{
    {{128, 64, false}, {64, 128, true}, {128, 128, false}, {128, 128, true}, {128, 256, false}}};

// Whether this rung computes the product on such a GPU: 16-bit operands whose rows start on 16-byte borders.
bool hopper_fits(const Product& product, int compute_capability);

// Whether it is to be expected that this rung is the fastest: there is much to multiply, for most of the
// multiprocessors.
bool hopper_pays(const Product& product, int multiprocessors);

// A tile by rule, counted in hopper_tiles: large ones reread less of A and B, small ones leave fewer
// multiprocessors idle, and updates with little to multiply want registers free for loads.
int choose_hopper_tile(const Product& product, int multiprocessors);

void gemm_hopper(GemmLayout layout, Precision precision, int tile, const GemmProblem& problem,
                 cudaStream_t stream);

// Defined in hopper_PRECISION_LAYOUT.cu.
template <Precision precision, GemmLayout layout>
void launch_hopper_tile(int tile, const GemmProblem& problem, cudaStream_t stream);

}  // namespace breakeven
