// SPDX-License-Identifier: Apache-2.0
// The table of lossy strategies and the serial definition of each.
#include "src/verify/serial_definition.h"

#include <algorithm>
#include <array>

namespace breakeven {
namespace {

constexpr std::array table{
    LossyStrategy{"ddp", define_compressed},              // where it compresses
    LossyStrategy{"async-server", define_data_parallel},  // of one rank; of more: replay_async_server
    LossyStrategy{"local-sgd", define_local_sgd},
    LossyStrategy{"stale", define_stale},
};

}  // namespace

std::span<const LossyStrategy> lossy_strategies() { return table; }

SerialDefinition serial_definition_of(const StrategyChoice& strategy) {
  if (strategy.info->promise(strategy.options).exact) return define_data_parallel;
  const auto known = std::ranges::find(lossy_strategies(), strategy.info->name, &LossyStrategy::name);
  return known != lossy_strategies().end() ? known->definition : nullptr;
}

}  // namespace breakeven
