// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/shown_cases.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven::analysis {
namespace {

struct Axis {
  std::string_view option;
  std::vector<std::string> ShownCases::*words;
  std::function<std::string(const Case&)> word_of;
};

const std::array<Axis, 4>& axes() {
  static const std::array<Axis, 4> all{
      {{"models", &ShownCases::models, [](const Case& what) { return what.model; }},
       {"batches", &ShownCases::batches, [](const Case& what) { return std::to_string(what.batch); }},
       {"strategies", &ShownCases::strategies, [](const Case& what) { return what.strategy; }},
       {"precisions", &ShownCases::precisions, [](const Case& what) { return what.precision; }}}};
  return all;
}

// Numbers by size: fewer digits first.
std::pair<std::size_t, std::string> place_of(const std::string& word) {
  const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
  return {is_number ? word.size() : 0, word};
}

std::vector<std::string> words_of(const Results& results, const Axis& axis) {
  std::vector<std::string> words;
  for (const RecordedRun& run : results.runs) {
    const std::string word = axis.word_of(run.planned.what);
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  std::ranges::sort(words, {}, place_of);
  return words;
}

bool is_base(const Case& what) { return what.strategy == "single" && what.gpus == 1; }

}  // namespace

bool ShownCases::are_all() const {
  return std::ranges::all_of(axes(), [&](const Axis& axis) { return (this->*axis.words).empty(); });
}

bool ShownCases::include(const Case& what) const {
  return std::ranges::all_of(axes(), [&](const Axis& axis) {
    const std::vector<std::string>& words = this->*axis.words;
    if (words.empty() || (axis.words == &ShownCases::strategies && is_base(what))) return true;
    return std::ranges::find(words, axis.word_of(what)) != words.end();
  });
}

std::string in_words(const ShownCases& shown) {
  std::vector<std::string> options;
  for (const Axis& axis : axes()) {
    const std::vector<std::string>& words = shown.*axis.words;
    if (!words.empty()) options.push_back(fmt::format("--{} {}", axis.option, fmt::join(words, ",")));
  }
  return fmt::format("{}", fmt::join(options, " "));
}

std::string problem_of(const ShownCases& shown, const Results& results) {
  for (const Axis& axis : axes()) {
    const std::vector<std::string> known = words_of(results, axis);
    for (const std::string& word : shown.*axis.words) {
      if (std::ranges::find(known, word) == known.end())
        return fmt::format("--{} '{}' is not one of those in the file: {}", axis.option, word,
                           fmt::join(known, ", "));
    }
  }
  return "";
}

}  // namespace breakeven::analysis
