// SPDX-License-Identifier: Apache-2.0
// A model cut into stages, one behind the other, that take about as long as each other.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/model/mlp_settings.h"

namespace breakeven {

// How long a layer takes in a step, in bytes of memory that could be moved meanwhile: what it moves, and what
// it computes at `flops_a_byte`, about what a GPU computes in fp32 while it moves a byte.
inline constexpr double flops_a_byte = 20;
double layer_cost(const ModelShape& shape, std::size_t layer, std::uint32_t batch,
                  std::uint32_t micro_batches);

// The stages' first layers, and behind them the number of layers: the cut into `stages` (as many as there are
// layers, at most) whose longest stage is shortest.
std::vector<std::size_t> stage_borders(const ModelShape& shape, std::uint32_t batch,
                                       std::uint32_t micro_batches, std::size_t stages);

// A stage of a whole replica.
MlpSettings pipeline_part_of(const MlpSettings& whole, std::size_t first_layer, std::size_t end_layer,
                             MicroBatches micro_batches);

}  // namespace breakeven
