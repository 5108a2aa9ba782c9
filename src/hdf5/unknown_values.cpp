// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/unknown_values.h"

#include <functional>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "src/core/text/lists.h"

namespace breakeven::hdf5 {
namespace {

// What is wrong with a case's value; nothing where it is legal.
struct RunRule {
  std::string_view variable;
  std::function<std::optional<std::string>(const Case&)> wrong;
  std::string legal;
};

constexpr std::string_view a_word = "a word of your own that is not empty";

template <Worded Value>
RunRule one_of_words(std::string_view variable, Level<Value> Case::*level) {
  return {variable,
          [level](const Case& what) {
            return (what.*level).known() ? std::nullopt : std::optional(std::string((what.*level).word()));
          },
          "one of " + join_list(all_words<Value>())};
}

RunRule not_empty(std::string_view variable, std::function<std::string_view(const Case&)> word) {
  return {variable,
          [word = std::move(word)](const Case& what) {
            return word(what).empty() ? std::optional(std::string()) : std::nullopt;
          },
          std::string(a_word)};
}

const std::vector<RunRule>& run_rules() {
  static const std::vector<RunRule> rules{
      not_empty("model", [](const Case& what) { return std::string_view(what.model.word()); }),
      {"batch",
       [](const Case& what) { return what.batch == 0 ? std::optional(std::string("0")) : std::nullopt; },
       "a whole number of samples from 1 on"},
      not_empty("strategy", [](const Case& what) { return std::string_view(what.strategy.word()); }),
      not_empty("precision", [](const Case& what) { return what.precision.word(); }),
      one_of_words("scaling", &Case::scaling),
      one_of_words("instrument", &Case::timing)};
  return rules;
}

std::string sentence_of(std::string_view variable, std::string_view place, std::size_t first,
                        std::string_view value, std::size_t count, std::string_view legal) {
  const std::string others = count > 1 ? fmt::format(" and of {} more", count - 1) : "";
  return fmt::format("{} of {} {}{} is '{}'; it should be {}", variable, place, first, others, value, legal);
}

}  // namespace

std::vector<std::string> unknown_values_in(const Results& results) {
  std::vector<std::string> sentences;
  for (const RunRule& rule : run_rules()) {
    std::size_t first = 0, count = 0;
    std::string value;
    for (std::size_t run = 0; run < results.runs.size(); ++run) {
      const auto wrong = rule.wrong(results.runs[run].planned.what);
      if (!wrong) continue;
      if (count++ == 0) {
        first = run;
        value = *wrong;
      }
    }
    if (count > 0) sentences.push_back(sentence_of(rule.variable, "run", first, value, count, rule.legal));
  }
  for (std::size_t launch = 0; launch < results.launches.size(); ++launch) {
    for (const RankInfo& rank : results.launches[launch].topology.ranks) {
      const std::string& backend = rank.device.backend;
      if (backend == "cuda" || backend == "host") continue;
      sentences.push_back(sentence_of("backend", "launch", launch, backend, 1, "one of cuda, host"));
      break;
    }
  }
  return sentences;
}

}  // namespace breakeven::hdf5
