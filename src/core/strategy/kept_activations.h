// SPDX-License-Identifier: Apache-2.0
// The options accumulate=K (gradient accumulation) and checkpoint=activations (activation checkpointing),
// which say whose activations are in memory. Strategies that take them have the whole model on each
// rank.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "src/core/phase.h"
#include "src/core/strategy/description.h"

namespace breakeven {

// The settings with these options applied.
MlpSettings with_kept_activations(const StrategyOptions& options, MlpSettings whole);

// Why the options do not fit the work, as half a sentence, or "".
std::string kept_activations_refusal(const StrategyOptions& options, const SharedWork& work);

bool keeps_all_activations(const StrategyOptions& options);

// The update waits for the whole gradient: to clip it, to accumulate it, or because an update during the
// backward pass would read activations that are no longer in memory.
bool updates_apart(const StrategyOptions& options);

// For a rank that trains a model of its own: its rows are its whole batch.
MlpSettings settings_of_own_batch(const MlpSettings& whole);

// Input, forward and backward of every micro-batch, then `rest`.
std::vector<Phase> phases_of_step(const StrategyOptions& options, std::initializer_list<Phase> rest);

}  // namespace breakeven
