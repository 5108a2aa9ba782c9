// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/case.h"
#include "src/core/strategy/gradient_costs.h"
#include "src/core/strategy/kept_activations.h"
#include "src/core/text/lists.h"
#include "src/core/text/usage.h"

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

namespace {

std::string sentence_about_key(const StrategyDescription& strategy, std::string_view key) {
  if (strategy.options.empty())
    return fmt::format("--strategies '{}' takes no options; remove '{}'", strategy.name, key);
  return fmt::format("--strategies '{}' has no option '{}'; it takes {}", strategy.name, key,
                     join_list(strategy.options));
}

// KEY=VALUE; "" or what is wrong with it.
std::string set_option(std::string_view text, StrategyChoice& choice) {
  const std::size_t equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  if (std::ranges::find(choice.info->options, key) == choice.info->options.end()) {
    return sentence_about_key(*choice.info, key);
  }
  const auto option = std::ranges::find(strategy_option_table(), key, &StrategyOptionInfo::key);
  const std::string_view value = text.substr(std::min(equals, text.size() - 1) + 1);
  if (equals != text.npos && option->set(value, choice.options)) return "";
  return fmt::format("--strategies '{}:{}': {} must be {}", choice.info->name, text, key, option->legal);
}

// The parts between the colons; one without "=" is the rest of the one before.
std::vector<std::string> split_options(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string& part : split_list(text, ':')) {
    if (parts.empty() || part.find('=') != part.npos) {
      parts.push_back(part);
    } else {
      parts.back() += ":" + part;
    }
  }
  return parts;
}

}  // namespace

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyDescription& info : strategies()) names.emplace_back(info.name);
  return names;
}

std::variant<StrategyChoice, UsageError> parse_strategy(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto info = std::ranges::find(strategies(), name, &StrategyDescription::name);
  if (info == strategies().end()) {
    return UsageError{problem_of_word("strategies", name, strategy_names())};
  }
  StrategyChoice choice{&*info, {}};
  if (colon == text.npos) return choice;
  for (const std::string& part : split_options(text.substr(colon + 1))) {
    const std::string wrong = set_option(part, choice);
    if (!wrong.empty()) return UsageError{wrong};
  }
  return choice;
}

template <>
std::shared_ptr<const StrategyChoice> CaseStrategy::parse(std::string_view word) {
  const auto parsed = parse_strategy(word);
  const auto* choice = std::get_if<StrategyChoice>(&parsed);
  return choice != nullptr ? std::make_shared<const StrategyChoice>(*choice) : nullptr;
}

}  // namespace breakeven
