// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/mlp_memory.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

StrategyPromise promise(const StrategyOptions&) { return {.exact = false}; }

MemoryNeed memory_need(const StrategyOptions&, const MlpSettings& whole, int, int) {
  MemoryNeed need = mlp_memory(whole);
  need.strategy = state_memory(whole).gradients;
  return need;
}

std::vector<Message> messages(const StrategyOptions&, const MlpSettings& whole, int, int ranks) {
  return {{Collective::all_reduce, ParameterLayout(whole.shape).floats() * sizeof(float), ranks}};
}

}  // namespace

StrategyDescription describe_stale() {
  return {
      .name = "stale",
      .place = 12,
      .options = {"accumulate", "checkpoint"},
      .traits = {.overlaps = true},
      .promise = promise,
      .messages = messages,
      .memory_need = memory_need,
  };
}

}  // namespace breakeven
