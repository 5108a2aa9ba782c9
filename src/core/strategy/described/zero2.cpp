// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"
#include "src/core/strategy/sharding.h"

namespace breakeven {

namespace {

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_memory_need(zero2_sharding(options), options, whole, rank, ranks);
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_messages(zero2_sharding(options), options, whole, rank, ranks);
}

}  // namespace

StrategyDescription describe_zero2() {
  return {
      .name = "zero2",
      .summary = "like zero1, and each rank stores only its share of the gradients",
      .place = 6,
      .options = {"buckets", "clip", "checkpoint"},
      .traits = {.overlaps = true},
      .messages = messages,
      .memory_need = memory_need,
      .work = sharded_work,
  };
}

}  // namespace breakeven
