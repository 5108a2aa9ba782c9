// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/mlp_memory.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

std::string refusal(const StrategyOptions& options, const SharedWork&) {
  const StrategyOptions preset;
  const bool settled =
      options.outer_momentum == preset.outer_momentum && options.outer_rate == preset.outer_rate;
  if (options.outer_nesterov || settled) return "";
  return "outer-momentum and outer-rate need outer=nesterov";
}

// Local updates are fused into their products, the definition's are not.
StrategyPromise promise(const StrategyOptions&) { return {.exact = false, .definition_bits = false}; }

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int, int) {
  MemoryNeed need = mlp_memory(whole);
  if (options.outer_nesterov) need.strategy = 2 * state_memory(whole).gradients;
  return need;
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int, int ranks) {
  const std::uint64_t bytes = ParameterLayout(whole.shape).floats() * sizeof(float);
  return {{Collective::all_reduce, bytes, ranks, 1, options.period}};
}

}  // namespace

StrategyDescription describe_local_sgd() {
  return {
      .name = "local-sgd",
      .place = 11,
      .options = {"period", "outer", "outer-momentum", "outer-rate", "accumulate", "checkpoint"},
      .verified_as = {"local-sgd:period=4",
                      "local-sgd:period=4:outer=nesterov"},  // with averages in a few steps
      .traits = {.in_step = false},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = memory_need,
      .replica_stride = StrategyDescription::no_replicas,
  };
}

}  // namespace breakeven
