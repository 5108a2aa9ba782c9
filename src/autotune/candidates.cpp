// SPDX-License-Identifier: Apache-2.0
#include "src/autotune/candidates.h"

#include <algorithm>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven::autotune {
namespace {

RankWork work_of(const Case& what, int rank) {
  const StrategyChoice strategy = strategy_of_case(what);
  return strategy.info->work(strategy.options, mlp_of_case(what, rank), rank, what.gpus);
}

bool same_work(const RankWork& a, const RankWork& b) {
  return a.shape.widths == b.shape.widths && a.rows == b.rows && a.passes == b.passes &&
         a.forwards == b.forwards && a.updated == b.updated;
}

// Without those in a group of one rank, which sends nothing.
std::vector<Message> messages_of(const Case& what, int rank) {
  std::vector<Message> messages = messages_of_case(what, rank).value_or(std::vector<Message>{});
  std::erase_if(messages, [](const Message& message) { return message.ranks < 2; });
  return messages;
}

bool same_configuration(const Case& a, const Case& b) {
  if (!are_alike(a, b, {Axis::gpus, Axis::transport})) return false;
  for (int rank = 0; rank < a.gpus; ++rank) {
    if (messages_of(a, rank) != messages_of(b, rank)) return false;
    if (!same_work(work_of(a, rank), work_of(b, rank))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> candidates_named(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const std::string& word : words) {
    if (word == "exact") {
      std::ranges::for_each(exact_candidates, add);
    } else if (word == "lossy") {
      std::ranges::for_each(lossy_candidates, add);
    } else {
      add(word);
    }
  }
  return names;
}

std::vector<Case> distinct_configurations(const std::vector<Case>& candidates) {
  std::vector<Case> distinct;
  for (const Case& candidate : candidates) {
    const auto is_same = [&](const Case& known) { return same_configuration(known, candidate); };
    if (std::ranges::none_of(distinct, is_same)) distinct.push_back(candidate);
  }
  return distinct;
}

}  // namespace breakeven::autotune
