// SPDX-License-Identifier: Apache-2.0
// The mesh of ranks of the strategy hybrid.
#pragma once

#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// Neighbouring ranks are the parts of one model; ranks with the same part share the batch.
struct RankMesh {
  int data;
  int parts;
};

// What the options leave open: two parts of every model, or one for each rank where their number is odd.
RankMesh mesh_of(const StrategyOptions& options, int ranks);

MlpSettings with_samples_of_group(MlpSettings whole, const RankMesh& mesh, int rank);

}  // namespace breakeven
