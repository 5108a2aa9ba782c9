// SPDX-License-Identifier: Apache-2.0
// What `auto` chooses among, by the words of --candidates.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// Strategies that compute what one GPU computes, if they may be the fastest somewhere or need the least
// memory.
inline constexpr std::array<std::string_view, 11> exact_candidates{
    "single", "ddp",    "ddp:buckets=16MB", "zero1",           "zero1:buckets=16MB", "zero2",
    "fsdp",   "tensor", "pipeline",         "hybrid:tensor=2", "hybrid:pipeline=2"};

// Strategies that compute other updates: a shorter step need not train faster.
inline constexpr std::array<std::string_view, 4> lossy_candidates{"ddp:compress=bf16", "ddp:compress=int8",
                                                                  "stale", "local-sgd"};

// "exact" and "lossy" stand for these lists, any other word for itself; each once.
inline std::vector<std::string> candidates_named(const std::vector<std::string>& words) {
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

}  // namespace breakeven
