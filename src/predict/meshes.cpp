// SPDX-License-Identifier: Apache-2.0
#include "src/predict/meshes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"

namespace breakeven::predict {
namespace {

constexpr std::array micro_batches_a_stage{1, 2, 4, 8};

// The options that do not define the mesh, as ":KEY=VALUE" each.
std::string kept_options(const std::string& strategy) {
  const std::vector<std::string> words = split_list(strategy, ':');
  std::string kept;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string key = words[i].substr(0, words[i].find('='));
    const std::array<std::string_view, 4> of_mesh{"data", "tensor", "pipeline", "micro-batches"};
    if (std::ranges::find(of_mesh, key) == of_mesh.end()) kept += ":" + words[i];
  }
  return kept;
}

void add_meshes(bool by_pipeline, const std::string& kept, int gpus, std::vector<std::string>& forms) {
  for (int parts = 2; parts <= gpus; ++parts) {
    if (gpus % parts != 0) continue;
    const std::string mesh =
        fmt::format("hybrid:data={}:{}={}{}", gpus / parts, by_pipeline ? "pipeline" : "tensor", parts, kept);
    if (!by_pipeline) forms.push_back(mesh);
    for (const int count : micro_batches_a_stage)
      if (by_pipeline) forms.push_back(fmt::format("{}:micro-batches={}", mesh, count * parts));
  }
}

}  // namespace

std::vector<std::string> forms_on(const std::string& strategy, int gpus) {
  const StrategyChoice choice = std::get<StrategyChoice>(parse_strategy(strategy));
  const int stages = choice.info->pipeline_stages(choice.options, gpus);
  const std::string kept = kept_options(strategy);
  std::vector<std::string> forms{strategy};
  if (!choice.info->traits.splits_model || gpus == 1) return forms;
  if (stages == gpus && choice.options.pipeline == 0)  // a stage for every GPU, whatever their number
    for (const int count : micro_batches_a_stage)
      forms.push_back(fmt::format("{}{}:micro-batches={}", choice.info->name, kept, count * gpus));
  add_meshes(stages > 0, kept, gpus, forms);
  std::erase_if(forms, [](const std::string& form) {  // too many micro-batches
    return !std::holds_alternative<StrategyChoice>(parse_strategy(form));
  });
  return forms;
}

std::vector<PlacedMessage> placed_in_mesh(const std::vector<Message>& messages, const Case& what) {
  std::vector<PlacedMessage> placed;
  for (const Message& message : messages) placed.push_back({message});
  const StrategyChoice strategy = strategy_of_case(what);
  const int groups = strategy.options.data;  // of a mesh; else none
  // The gradient's message is the last all-reduce of `groups` ranks: those of the split model come before it.
  const auto gradient = std::find_if(placed.rbegin(), placed.rend(), [&](const PlacedMessage& one) {
    return one.message.kind == Collective::all_reduce && one.message.ranks == groups;
  });
  if (groups > 0 && gradient != placed.rend()) gradient->stride = what.gpus / groups;
  return placed;
}

}  // namespace breakeven::predict
