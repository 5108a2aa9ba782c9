// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"
#include "src/core/strategy/sharding.h"

namespace breakeven {

StrategyDescription describe_zero1() {
  return {
      .name = "zero1",
      .place = 5,
      .options = {"buckets", "clip", "accumulate", "checkpoint"},
      .traits = {.joins_update = true},
      .messages = messages_by<zero1_sharding>,
      .memory_need = memory_need_by<zero1_sharding>,
      .work = sharded_work,
  };
}

}  // namespace breakeven
