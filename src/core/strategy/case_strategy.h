// SPDX-License-Identifier: Apache-2.0
// What a case's strategy makes of it: its traits, and a rank's work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/core/message.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/description.h"

namespace breakeven {

StrategyChoice strategy_of_case(const Case& what);  // which the plan has checked

// Those of any strategy where a file of another version names one that is not known here.
StrategyTraits traits_of(const Case& what);

// Over all GPUs: the case's batch, or as many of them as there are independent copies.
double samples_a_step(const Case& what);
std::uint32_t rows_a_gpu(const Case& what);

// The rows of rank `rank` of `ranks` in a global batch that they divide evenly.
struct Shard {
  std::uint32_t first_sample;
  std::uint32_t rows;
};
Shard shard_of(std::uint32_t global_batch, int rank, int ranks);

// Why so many GPUs cannot share a global batch, with the nearest that they could; "" where they can.
std::string uneven_batch(std::uint32_t batch, int gpus);

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
