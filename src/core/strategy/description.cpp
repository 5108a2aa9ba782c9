// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"

#include <algorithm>

#include "src/core/model/mlp_memory.h"
#include "src/core/strategy/gradient_checks.h"
#include "src/core/strategy/kept_activations.h"

namespace breakeven {

#define STRATEGY(name) StrategyDescription describe_##name();
#include "strategies.inc"
#undef STRATEGY

std::span<const StrategyDescription> strategies() {
  static const std::vector<StrategyDescription> table = [] {
    std::vector<StrategyDescription> all{
#define STRATEGY(name) describe_##name(),
#include "strategies.inc"
#undef STRATEGY
    };
    std::ranges::sort(all, {}, &StrategyDescription::place);
    return all;
  }();
  return table;
}

std::string StrategyDescription::refusal(const StrategyOptions& options, const SharedWork& work) const {
  const std::string of_activations = kept_activations_refusal(options, work);
  return of_activations.empty() ? own_refusal(options, work) : of_activations;
}

RankWork StrategyDescription::work_of_mlp(const StrategyOptions& options, const MlpSettings& whole, int,
                                          int) {
  return {.shape = whole.shape,
          .rows = whole.rows / options.accumulate,
          .passes = static_cast<double>(options.accumulate),
          .forwards = options.checkpoints ? 2.0 : 1.0};
}

MemoryNeed StrategyDescription::whole_mlp(const StrategyOptions& options, const MlpSettings& whole, int,
                                          int) {
  MemoryNeed need = mlp_memory(whole);
  need.strategy = whole_clip_bytes(options);
  return need;
}

}  // namespace breakeven
