// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/possible_case.h"

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"

namespace breakeven {
namespace {

// What keeps the step from being one graph, or "".
std::string obstacle_to_graph(const Case& what, const Offer& offer, const OfferedStrategy& strategy) {
  if (!strategy.capturable) {
    return fmt::format(
        "--graph on does not work with '{}': its messages are waited for on the host, which a CUDA graph "
        "cannot capture. Pass --graph off",
        what.strategy);
  }
  if (!offer.cuda || what.collective != "mpi") return "";
  return "--graph on needs --collectives nccl: an exchange through MPI cannot be captured into a CUDA graph";
}

}  // namespace

std::variant<Case, UsageError> possible_case(Case what, const std::string& graph, const Offer& offer,
                                             const OfferedStrategy& strategy) {
  const std::string obstacle = obstacle_to_graph(what, offer, strategy);
  if (graph == "on" && !obstacle.empty()) return UsageError{obstacle};
  what.graph = graph == "on" || (graph == "auto" && obstacle.empty());
  if (!strategy.exchanges) what.collective = "none";
  const int gpus = strategy.copies ? 1 : what.gpus;
  if (what.scaling == "weak") what.batch *= static_cast<std::uint32_t>(gpus);
  const std::string uneven = uneven_batch(what.batch, gpus);
  if (!uneven.empty()) return UsageError{uneven};
  const std::string refusal = offer.refusal(what);
  if (!refusal.empty()) return UsageError{refusal};
  return what;
}

}  // namespace breakeven
