// SPDX-License-Identifier: Apache-2.0
// What ranks exchange that are the stages of a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/strategy/description.h"
#include "src/core/strategy/pipeline_schedule.h"

namespace breakeven {

// How many micro-batches the options ask for.
std::uint32_t micro_batches_of(const StrategyOptions& options, int stages);

// The rank's stage of a whole replica.
MlpSettings pipeline_part_of_rank(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                  int stages);

// What keeps so many ranks from being the stages of the work, as half a sentence, or "".
std::string pipeline_split_refusal(const StrategyOptions& options, const ModelShape& shape,
                                   std::uint32_t batch, int stages);

// Of a step of rank `rank` of the group's `stages`, agreement apart.
std::vector<Message> stage_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int stages);

MemoryNeed pipeline_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                int ranks);
RankWork pipeline_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
