// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/shown_cases.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {
namespace {

// Numbers by size: fewer digits first.
std::pair<std::size_t, std::string> place_of(const std::string& word) {
  const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
  return {is_number ? word.size() : 0, word};
}

std::vector<std::string> known_words(const Results& results, Axis axis) {
  std::vector<std::string> words;
  for (const RecordedRun& run : results.runs) {
    const std::string word = word_of(axis, run.planned.what);
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  std::ranges::sort(words, {}, place_of);
  return words;
}

}  // namespace

bool ShownCases::are_all() const { return words.empty(); }

bool ShownCases::include(const Case& what) const {
  return std::ranges::all_of(words, [&](const auto& shown) {
    const auto& [axis, of_axis] = shown;
    if (axis == Axis::strategy && is_single_gpu(what)) return true;
    return std::ranges::find(of_axis, word_of(axis, what)) != of_axis.end();
  });
}

std::string in_words(const ShownCases& shown) {
  std::vector<std::string> options;
  for (const auto& [axis, words] : shown.words)
    options.push_back(fmt::format("--{} {}", info_of(axis).option, fmt::join(words, ",")));
  return fmt::format("{}", fmt::join(options, " "));
}

std::string problem_of(const ShownCases& shown, const Results& results) {
  for (const auto& [axis, words] : shown.words) {
    const std::vector<std::string> known = known_words(results, axis);
    for (const std::string& word : words) {
      if (std::ranges::find(known, word) == known.end())
        return fmt::format("--{} '{}' is not in this file. It has {}", info_of(axis).option, word,
                           fmt::join(known, ", "));
    }
  }
  return "";
}

}  // namespace breakeven::analysis
