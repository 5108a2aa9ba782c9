// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_gemm.h"

#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/hopper_map.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// As in hopper_tiles.
constexpr int narrow = 0, flat_ping_pong = 1, square = 2, square_ping_pong = 3, large = 4;

std::int64_t tiles_of(int tile, const GemmShape& shape) {
  const HopperTile& of = hopper_tiles[static_cast<std::size_t>(tile)];
  return ceil_div(shape.m, of.m) * ceil_div(shape.n, of.n);
}

// The blocks that a GPU holds at one time in clusters of so many: multiprocessors come in groups of 14 to 18,
// of which a cluster has all its own.
std::int64_t blocks_at_once(int cluster, int multiprocessors) {
  return cluster <= 2 ? multiprocessors : multiprocessors / 11 * 10;
}

// Narrow tiles, and parts as long as there are multiprocessors left for them and steps to do in each.
HopperChoice choose_narrow(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  constexpr std::int64_t least_depth = 256;
  HopperChoice choice{narrow, 1};
  while (hopper_offers(product, {narrow, 2 * choice.split_k}) &&
         tiles_of(narrow, shape) * 2 * choice.split_k <=
             blocks_at_once(2 * choice.split_k, multiprocessors) &&
         shape.k >= least_depth * 2 * choice.split_k) {
    choice.split_k *= 2;
  }
  return choice;
}

// Where the way to memory takes much longer than the products, or the products much longer than the way,
// warps of their own update beside them; between the two a block does both in turn.
int choose_update_tile(const GemmShape& shape, int multiprocessors) {
  constexpr std::int64_t short_k = 512, long_k = 3072;
  if (shape.k <= short_k && tiles_of(square, shape) >= multiprocessors) return square;
  return shape.k >= long_k && tiles_of(large, shape) >= multiprocessors ? large : flat_ping_pong;
}

template <Precision precision>
void launch(GemmLayout layout, const HopperChoice& choice, const GemmProblem& problem, CudaStream& stream) {
  switch (layout) {
    case GemmLayout::nt:
      return launch_hopper_tile<precision, GemmLayout::nt>(choice, problem, stream);
    case GemmLayout::nn:
      return launch_hopper_tile<precision, GemmLayout::nn>(choice, problem, stream);
    case GemmLayout::tn:
      return launch_hopper_tile<precision, GemmLayout::tn>(choice, problem, stream);
  }
}

}  // namespace

bool hopper_fits(const Product& product, int compute_capability) {
  return compute_capability == 90 && hopper::can_map(product.a) && hopper::can_map(product.b) &&
         product.c.rows > 0 && product.c.cols > 0;
}

bool hopper_pays(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  if (shape.k < 256) return false;
  // Small weight gradients go together in one launch of the rung below.
  if (product.layout == GemmLayout::tn) return 2 * tiles_of(narrow, shape) > multiprocessors;
  return 5 * tiles_of(narrow, shape) * choose_narrow(product, multiprocessors).split_k > 2 * multiprocessors;
}

bool hopper_offers(const Product& product, const HopperChoice& choice) {
  if (choice.tile < 0 || choice.tile >= static_cast<int>(hopper_tiles.size())) return false;
  const int split_k = choice.split_k;
  const bool power_of_two = split_k > 0 && (split_k & (split_k - 1)) == 0;
  return power_of_two && split_k <= hopper_tiles[static_cast<std::size_t>(choice.tile)].max_split_k &&
         split_k_fits(product.precision, shape_of(product).k, split_k);
}

HopperChoice choose_hopper(const Product& product, int multiprocessors) {
  const GemmShape shape = shape_of(product);
  if (std::holds_alternative<AdamUpdate>(product.epilogue)) {
    return {choose_update_tile(shape, multiprocessors), 1};
  }
  const std::int64_t tiles = tiles_of(square, shape);
  if (tiles > multiprocessors) return {square_ping_pong, 1};
  if (2 * tiles > multiprocessors) return {square, 1};
  return choose_narrow(product, multiprocessors);
}

void gemm_hopper(GemmLayout layout, Precision precision, const HopperChoice& choice,
                 const GemmProblem& problem, CudaStream& stream) {
  if (precision == Precision::bf16) {
    launch<Precision::bf16>(layout, choice, problem, stream);
  } else {
    launch<Precision::fp16>(layout, choice, problem, stream);
  }
}

}  // namespace breakeven
