// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/possible_case.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"

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
  const auto carrier = std::ranges::find_if(
      offer.transports, [&](const OfferedTransport& offered) { return what.transport == offered.transport; });
  if (carrier == offer.transports.end() || carrier->capturable) return "";
  std::vector<std::string> others;
  for (const OfferedTransport& offered : offer.transports) {
    if (offered.capturable) others.emplace_back(name_of(offered.transport));
  }
  const std::string needs =
      others.empty() ? "needs another transport" : "needs --transports " + join_list(others);
  return fmt::format("--graph on {}: an exchange over {} cannot be captured into a CUDA graph", needs,
                     what.transport);
}

}  // namespace

std::variant<Case, UsageError> possible_case(Case what, const std::string& graph, const Offer& offer,
                                             const OfferedStrategy& strategy) {
  const std::string obstacle = obstacle_to_graph(what, offer, strategy);
  if (graph == "on" && !obstacle.empty()) return UsageError{obstacle};
  what.graph = graph == "on" || (graph == "auto" && obstacle.empty());
  if (!strategy.exchanges) what.transport = Transport::none;
  const int gpus = strategy.copies ? 1 : what.gpus;
  if (what.scaling == Scaling::weak) what.batch *= static_cast<std::uint32_t>(gpus);
  const std::string uneven = uneven_batch(what.batch, gpus);
  if (!uneven.empty()) return UsageError{uneven};
  const std::string refusal = offer.refusal(what);
  if (!refusal.empty()) return UsageError{refusal};
  return what;
}

}  // namespace breakeven
