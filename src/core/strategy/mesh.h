// SPDX-License-Identifier: Apache-2.0
// The mesh of ranks of the strategy hybrid, and its words.
#pragma once

#include <algorithm>
#include <string_view>

#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// Strategies. Those that split a model are options of a mesh too: the ranks of each model.
inline constexpr std::string_view mesh_strategy = "hybrid", tensor_strategy = "tensor",
                                  pipeline_strategy = "pipeline";
// Options.
inline constexpr std::string_view data_option = "data", micro_batches_option = "micro-batches";

// Neighbouring ranks are the parts of one model; ranks with the same part share the batch.
struct RankMesh {
  int data;
  int parts;
};

// What the options leave open: two parts of every model, or one for each rank where their number is odd.
inline RankMesh mesh_of(const StrategyOptions& options, int ranks) {
  const int unsaid = options.data > 0 ? std::max(1, ranks / options.data) : ranks % 2 == 0 ? 2 : ranks;
  const int parts = options.tensor > 0 ? options.tensor : options.pipeline > 0 ? options.pipeline : unsaid;
  return {options.data > 0 ? options.data : std::max(1, ranks / parts), parts};
}

// The settings of a model that trains the samples of the rank's group.
inline MlpSettings with_samples_of_group(MlpSettings whole, const RankMesh& mesh, int rank) {
  whole.rows = whole.global_batch / static_cast<std::uint32_t>(mesh.data);
  whole.first_sample = whole.rows * static_cast<std::uint32_t>(rank / mesh.parts);
  return whole;
}

}  // namespace breakeven
