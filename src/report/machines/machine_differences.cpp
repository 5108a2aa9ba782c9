// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/machine_differences.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/report/format/numbers.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/launch_facts.h"

namespace breakeven::report {
namespace {

constexpr std::array<std::string_view, 3> facts_of_machines{"machine", "hosts", "links"};
constexpr std::size_t most_named = 8;

// What a launch may set without other step times.
bool is_trivial(const LaunchDifference& difference) {
  constexpr std::array<std::string_view, 5> facts{"setting repeats", "setting order", "setting samples",
                                                  "setting seed", "setting target-ci"};
  return std::ranges::find(facts, difference.fact) != facts.end() ||
         difference.fact.starts_with("environment OMPI_MCA_fbtl");
}

bool is_of_program(const LaunchDifference& difference) {
  return difference.fact == "revision" || difference.fact == "version of breakeven";
}

std::string words_on(Axis axis, const analysis::FileAnalysis& file) {
  std::set<std::string> words;
  for (const analysis::MeasuredCase& measured : file.cases()) words.insert(word_of(axis, measured.what));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<LaunchDifference> differences_of(const analysis::FileAnalysis& one,
                                             const analysis::FileAnalysis& other) {
  std::vector<LaunchDifference> differences;
  std::vector<Axis> axes(setting_axes.begin(), setting_axes.end());
  axes.push_back(Axis::transport);
  for (const Axis axis : axes) {
    LaunchDifference difference{std::string(info_of(axis).key), words_on(axis, one), words_on(axis, other)};
    if (difference.before != difference.after) differences.push_back(std::move(difference));
  }
  for (LaunchDifference& difference : launch_differences(one.results(), other.results()))
    if (std::ranges::find(facts_of_machines, difference.fact) == facts_of_machines.end() &&
        !is_trivial(difference))
      differences.push_back(std::move(difference));
  const auto is_setting = [](const LaunchDifference& one) { return !is_of_program(one); };
  std::ranges::stable_partition(differences, is_setting);
  return differences;
}

std::string or_none(const std::string& words) { return words.empty() ? "none" : words; }

}  // namespace

std::vector<std::string> machine_differences(const std::vector<NamedMachine>& machines) {
  Sentences sentences;
  const NamedMachine& first = machines.front();
  for (std::size_t i = 1; i < machines.size(); ++i) {
    std::vector<std::string> facts;
    for (const LaunchDifference& one : differences_of(*first.file, *machines[i].file))
      facts.push_back(fmt::format("{} ({} against {})", one.fact, or_none(one.before), or_none(one.after)));
    if (facts.empty()) continue;
    add_warning(symptom::builds,
                fmt::format("{} and {} were not measured alike: {}. A difference between them may come "
                            "from that instead of the machine.",
                            first.name, machines[i].name, first_names(facts, most_named)),
                sentences);
  }
  return sentences;
}

std::vector<std::string> paths_of(const std::vector<NamedMachine>& machines) {
  std::vector<std::string> paths;
  for (const NamedMachine& machine : machines) paths.push_back(machine.file->results().path);
  return paths;
}

}  // namespace breakeven::report
