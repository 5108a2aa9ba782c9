// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/expected_time.h"

#include <algorithm>
#include <cmath>

#include "src/core/ceil_div.h"

namespace breakeven {

GemmUse use_of(const Product& product) {
  if (std::holds_alternative<AdamUpdate>(product.epilogue)) return GemmUse::update;
  if (std::holds_alternative<SquaredErrorLoss>(product.epilogue)) return GemmUse::loss;
  return static_cast<GemmUse>(product.layout);
}

double rounds_of(std::int64_t blocks, int multiprocessors, int blocks_a_multiprocessor) {
  const auto busiest = ceil_div(blocks, std::int64_t{multiprocessors});
  return static_cast<double>(busiest) / blocks_a_multiprocessor;
}

double bytes_of(const Product& product) {
  const GemmShape shape = shape_of(product);
  const auto value_bytes = static_cast<double>(bytes_of(info_of(product.precision).dtype));
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
             k = static_cast<double>(shape.k);
  // An update reads and writes a parameter and two moments, and writes a working copy, if there is one.
  const double of_update = value_bytes < 4 ? 24 + value_bytes : 24;
  const std::array<double, gemm_uses> of_result{value_bytes, 2 * value_bytes, 4, of_update, value_bytes + 4};
  return value_bytes * (m + n) * k + of_result[static_cast<std::size_t>(use_of(product))] * m * n;
}

// Blocks that share a multiprocessor hide each other's latency: half as many take 0.7 of the time.
double expected_us(const GemmCost& cost, GemmUse use, const GemmWork& work, double bytes) {
  const auto of_use = static_cast<std::size_t>(use);
  const TileCost& tile = cost.tiles[static_cast<std::size_t>(work.tile)];
  const double rounds = std::max(1.0, work.rounds);
  const double hidden = std::sqrt(std::min(1.0, work.rounds));
  const double steps = work.steps * tile.step * cost.step_factor[of_use] * rounds * hidden;
  const double tiles = rounds * (tile.tile * cost.tile_factor[of_use] + (work.is_split ? tile.split : 0));
  return cost.launch + steps + tiles + 1e-6 * bytes / cost.bandwidth[of_use];
}

double expected_update_us(const GemmCost& cost, const GemmWork& work, double bytes) {
  const TileCost& tile = cost.tiles[static_cast<std::size_t>(work.tile)];
  const double multiplying_us = work.steps * tile.step * std::max(1.0, work.rounds) + tile.tile;
  return cost.launch +
         std::max(multiplying_us, 1e-6 * bytes / cost.bandwidth[static_cast<std::size_t>(GemmUse::update)]);
}

}  // namespace breakeven
