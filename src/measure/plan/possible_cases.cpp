// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/possible_cases.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"

namespace breakeven::measure {
namespace {

// Why the step cannot be one CUDA graph, or "".
std::string obstacle_to_graph(const Case& what, const Offer& offer, const OfferedStrategy& strategy) {
  if (!strategy.capturable) {
    return fmt::format(
        "--graph on does not work with '{}': the host waits for its messages, which a CUDA graph "
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

std::variant<std::vector<int>, UsageError> gpu_counts(const Axes& axes, const Offer& offer) {
  std::vector<int> counts;
  for (const std::string& text : axes[Axis::gpus]) {
    const auto ranks = static_cast<std::uint32_t>(offer.ranks);
    const auto count = text == "all" ? std::optional(ranks) : parse_count(text, ranks);
    if (!count) return UsageError{problem_of_gpus(text, 1, offer.ranks, offer.command_line)};
    const int gpus = static_cast<int>(*count);
    if (std::find(counts.begin(), counts.end(), gpus) == counts.end()) counts.push_back(gpus);
  }
  return counts;
}

std::vector<Case> candidates_of(const Case& asked, const std::vector<int>& gpus, const Offer& offer) {
  std::vector<Case> candidates;
  for (const std::string& strategy : offer.candidates) {
    const auto known = std::get<OfferedStrategy>(offer.strategy(strategy));  // checked by plan_cases()
    for (const int count : gpus) {
      Case what = asked;
      what.strategy = strategy;
      what.gpus = known.exchanges ? count : 1;
      if (known.exchanges && count == 1) continue;
      const auto possible = possible_case(what, asked.graph ? "auto" : "off", offer, known);
      const auto* candidate = std::get_if<Case>(&possible);
      if (candidate != nullptr && std::ranges::find(candidates, *candidate) == candidates.end())
        candidates.push_back(*candidate);
    }
  }
  return candidates;
}

std::variant<Case, UsageError> asked_case(Case point, const std::string& graph, const std::vector<int>& gpus,
                                          const Offer& offer) {
  if (point.scaling == Scaling::weak)
    return UsageError{"--strategies auto needs a fixed global batch. Pass --scaling strong"};
  point.gpus = *std::ranges::max_element(gpus);
  point.graph = graph != "off";
  if (!candidates_of(point, gpus, offer).empty()) return point;
  return UsageError{fmt::format("--strategies auto: none of {} can train model '{}' at batch {} on {} GPUs",
                                join_list(offer.candidates), point.model, point.batch, point.gpus)};
}

}  // namespace breakeven::measure
