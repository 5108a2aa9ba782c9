// SPDX-License-Identifier: Apache-2.0
#include "src/predict/meshes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/mesh.h"
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
    const std::array<std::string_view, 4> of_mesh{data_option, tensor_strategy, pipeline_strategy,
                                                  micro_batches_option};
    if (std::ranges::find(of_mesh, key) == of_mesh.end()) kept += ":" + words[i];
  }
  return kept;
}

void add(const std::string& form, std::vector<std::string>& forms) {
  if (std::ranges::find(forms, form) == forms.end()) forms.push_back(form);
}

// One group is no mesh, but the strategy that splits the model.
void add_meshes(bool by_pipeline, const std::string& kept, int gpus, std::vector<std::string>& forms) {
  const std::string_view split = by_pipeline ? pipeline_strategy : tensor_strategy;
  for (int parts = 2; parts <= gpus; ++parts) {
    if (gpus % parts != 0) continue;
    const std::string name =
        parts == gpus ? std::string(split)
                      : fmt::format("{}:{}={}:{}={}", mesh_strategy, data_option, gpus / parts, split, parts);
    if (!by_pipeline) add(name + kept, forms);
    for (const int count : micro_batches_a_stage)
      if (by_pipeline) add(fmt::format("{}{}:{}={}", name, kept, micro_batches_option, count * parts), forms);
  }
}

// A hybrid of one group, or of models in one part.
bool is_degenerate(const StrategyChoice& choice, int gpus) {
  if (choice.info->name != mesh_strategy) return false;
  const RankMesh mesh = mesh_of(choice.options, gpus);
  return mesh.data == 1 || mesh.parts == 1;
}

}  // namespace

std::vector<std::string> forms_on(const std::string& strategy, int gpus) {
  const StrategyChoice choice = std::get<StrategyChoice>(parse_strategy(strategy));
  if (!choice.info->traits.splits_model || gpus == 1) return {strategy};
  const bool by_pipeline = choice.info->pipeline_stages(choice.options, gpus) > 0;
  std::vector<std::string> forms{strategy};
  add_meshes(by_pipeline, kept_options(strategy), gpus, forms);
  std::erase_if(forms, [&](const std::string& form) {
    const auto parsed = parse_strategy(form);  // too many micro-batches are refused
    return !std::holds_alternative<StrategyChoice>(parsed) ||
           is_degenerate(std::get<StrategyChoice>(parsed), gpus);
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
