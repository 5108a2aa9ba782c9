// SPDX-License-Identifier: Apache-2.0
#include "src/predict/pipeline_bubble.h"

#include <algorithm>

#include "src/strategy/pipeline_stage.h"
#include "src/strategy/strategy.h"

namespace breakeven {

std::optional<Pipeline> pipeline_of_case(const Case& what) {
  const auto parsed = parse_strategy(what.strategy);
  const auto* strategy = std::get_if<StrategyChoice>(&parsed);
  if (strategy == nullptr) return std::nullopt;
  const int stages = strategy->info->name == "pipeline" ? what.gpus : strategy->options.pipeline;
  if (stages < 1) return std::nullopt;
  return Pipeline{static_cast<std::uint32_t>(stages), micro_batches_of(strategy->options, stages)};
}

IdleShare idle_share(const CaseSummary& phases) {
  if (phases.what.instrument != "phases" || phases.phases.by_rank.empty()) return {};
  IdleShare share{0, 1, 0};
  for (const PhaseSeconds& seconds : phases.phases.by_rank) {
    const double idle = seconds[index_of(Phase::exchange)] + seconds[index_of(Phase::wait)];
    const double of_rank = idle / seconds[index_of(Phase::step)];
    share.mean += of_rank / static_cast<double>(phases.phases.by_rank.size());
    share.least = std::min(share.least, of_rank);
    share.most = std::max(share.most, of_rank);
  }
  return share;
}

}  // namespace breakeven
