// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"
#include "src/core/strategy/sharding.h"

namespace breakeven {

StrategyDescription describe_zero2() {
  return {
      .name = "zero2",
      .place = 6,
      .options = {"buckets", "clip", "checkpoint"},
      .traits = {.overlaps = true},
      .messages = messages_by<zero2_sharding>,
      .memory_need = memory_need_by<zero2_sharding>,
      .work = sharded_work,
  };
}

}  // namespace breakeven
