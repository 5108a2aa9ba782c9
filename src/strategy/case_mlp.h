// SPDX-License-Identifier: Apache-2.0
// A case as its strategy sees it: what follows of a rank's work from the words of the case alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/core/case.h"
#include "src/core/message.h"
#include "src/core/model/mlp_settings.h"
#include "src/strategy/strategy.h"

namespace breakeven {

StrategyChoice strategy_of_case(const Case& what);  // which the plan has checked

// The rows of rank `rank` of `ranks` in a global batch that they divide evenly.
struct Shard {
  std::uint32_t first_sample;
  std::uint32_t rows;
};
Shard shard_of(std::uint32_t global_batch, int rank, int ranks);

// Of a case that the plan has checked: the whole model with the rank's part of the batch. What the case does
// not say (data, optimizer, seed, steps) is as it stands in MlpSettings.
MlpSettings mlp_of_case(const Case& what, int rank);

// Of many ranks those whose work is not that of another: the first ones, which any part of a model is among,
// and the last, whose share may be cut.
std::vector<int> ranks_that_differ(int ranks);

// What the rank hands to its communicator in a step; nothing where this program does not know the case's
// words, as in a file of another version.
std::optional<std::vector<Message>> messages_of_case(const Case& what, int rank);

}  // namespace breakeven
