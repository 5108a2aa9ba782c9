// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"
#include "src/core/strategy/sharding.h"

namespace breakeven {

namespace {

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_memory_need(zero1_sharding(options), options, whole, rank, ranks);
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_messages(zero1_sharding(options), options, whole, rank, ranks);
}

}  // namespace

StrategyDescription describe_zero1() {
  return {
      .name = "zero1",
      .summary =
          "data parallel: each rank stores the optimizer state of its share of the parameters and updates "
          "only that",
      .place = 5,
      .options = {"buckets", "clip", "accumulate", "checkpoint"},
      .messages = messages,
      .memory_need = memory_need,
      .work = sharded_work,
  };
}

}  // namespace breakeven
