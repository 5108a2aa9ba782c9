// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_gemm.h"

#include "kernels/cuda/gemm/hopper_map.h"

namespace breakeven {
namespace {

std::int64_t tiles_of(const HopperTile& tile, const GemmShape& shape) {
  return ((shape.m + tile.m - 1) / tile.m) * ((shape.n + tile.n - 1) / tile.n);
}

template <Precision precision>
void launch(GemmLayout layout, int tile, const GemmProblem& problem, cudaStream_t stream) {
  switch (layout) {
    case GemmLayout::nt:
      return launch_hopper_tile<precision, GemmLayout::nt>(tile, problem, stream);
    case GemmLayout::nn:
      return launch_hopper_tile<precision, GemmLayout::nn>(tile, problem, stream);
    case GemmLayout::tn:
      return launch_hopper_tile<precision, GemmLayout::tn>(tile, problem, stream);
  }
}

}  // namespace

bool hopper_fits(const Product& product, int compute_capability) {
  return compute_capability == 90 && hopper::can_map(product.a) && hopper::can_map(product.b) &&
         product.c.rows > 0 && product.c.cols > 0;
}

bool hopper_pays(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  return 2 * tiles_of(hopper_tiles[0], shape) > multiprocessors && shape.k >= 256;
}

int choose_hopper_tile(const Product& product, int multiprocessors) {
  constexpr int narrow = 0, flat_ping_pong = 1, square = 2, square_ping_pong = 3;
  const GemmShape shape = shape_of(product);
  const std::int64_t tiles = tiles_of(hopper_tiles[square], shape);
  // Below this an update's way to memory takes longer than the products.
  constexpr std::int64_t short_k = 2048;
  if (std::holds_alternative<AdamUpdate>(product.epilogue) && shape.k < short_k) return flat_ping_pong;
  if (tiles > multiprocessors) return square_ping_pong;
  return 2 * tiles > multiprocessors ? square : narrow;
}

void gemm_hopper(GemmLayout layout, Precision precision, int tile, const GemmProblem& problem,
                 cudaStream_t stream) {
  if (precision == Precision::bf16) {
    launch<Precision::bf16>(layout, tile, problem, stream);
  } else {
    launch<Precision::fp16>(layout, tile, problem, stream);
  }
}

}  // namespace breakeven
