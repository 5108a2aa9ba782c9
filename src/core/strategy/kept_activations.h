// SPDX-License-Identifier: Apache-2.0
// The options accumulate=K and checkpoint=activations: of how many rows at a time, and of which layers,
// activations are in memory. Strategies that take them have one replica of the whole model a rank.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "src/core/phase.h"
#include "src/core/strategy/description.h"

namespace breakeven {

// `whole` by these options.
MlpSettings with_kept_activations(const StrategyOptions& options, MlpSettings whole);

// What keeps a rank's rows or the layers from being divided so, as half a sentence, or "".
std::string kept_activations_refusal(const StrategyOptions& options, const SharedWork& work);

// Then gradients are in memory as a whole before an update.
bool keeps_all_activations(const StrategyOptions& options);

// The gradient has to be there as a whole before an update: to be clipped or added up, or since the
// activations that an update beside the way back would read are no longer there.
bool updates_apart(const StrategyOptions& options);

// A rank that trains a model of its own: its rows are its whole batch.
MlpSettings settings_of_own_batch(const MlpSettings& whole);

// Input, forward and backward of every micro-batch, and then what is behind them.
std::vector<Phase> phases_of_step(const StrategyOptions& options, std::initializer_list<Phase> behind);

}  // namespace breakeven
