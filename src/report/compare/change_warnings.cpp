// SPDX-License-Identifier: Apache-2.0
#include "src/report/compare/change_warnings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/core/text/lists.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/machine.h"
#include "src/report/words/settling_words.h"

namespace breakeven::report {
namespace {

using Sentences = std::vector<std::string>;
using Changes = std::vector<analysis::CaseChange>;
using LaunchDifferences = std::vector<LaunchDifference>;

// Measured cases of one file that the other did not plan with the same timing.
Sentences cases_without(const Changes& changes, const analysis::FileAnalysis& file,
                        const std::string& other) {
  constexpr std::size_t most_named = 4;
  Sentences names;
  for (const analysis::MeasuredCase& measured : file.cases()) {
    const bool is_compared = std::ranges::any_of(changes, [&](const analysis::CaseChange& change) {
      return measured.total == change.before || measured.total == change.after ||
             measured.phases == change.before || measured.phases == change.after;
    });
    const bool is_measured = analysis::is_done(measured.total) || analysis::is_done(measured.phases);
    if (is_measured && !is_compared) names.push_back(path_of(measured.what));
  }
  if (names.empty()) return {};
  return {fmt::format("{} of the {} cases of {} are not in {} with the same timing: {}.", names.size(),
                      file.cases().size(), file.results().path, other, first_names(names, most_named))};
}

// The option's name, if the difference is a setting; else "".
std::string option_of(const LaunchDifference& difference) {
  constexpr std::string_view beginning = "setting ";
  return difference.fact.starts_with(beginning) ? difference.fact.substr(beginning.size()) : "";
}

constexpr std::array<std::string_view, 3> settling_options{"settle", "settle-tolerance", "seconds"};

// How one file's compared runs settled, and with which settings: "settled, --settle 5s, --seconds 0.5s".
std::string settling_of(const SettledRuns& runs, const LaunchDifferences& settings,
                        std::string LaunchDifference::*side) {
  std::string text = in_words(runs);
  for (const LaunchDifference& setting : settings)
    if (!(setting.*side).empty()) text += fmt::format(", --{} {}", option_of(setting), setting.*side);
  return text;
}

// Where they settled differently; else "".
std::string settling_difference(const Changes& changes, const LaunchDifferences& differences) {
  SettledRuns before, after;
  for (const analysis::CaseChange& change : changes) {
    before.add(*change.before);
    after.add(*change.after);
  }
  LaunchDifferences settings = differences;
  std::erase_if(settings, [](const LaunchDifference& difference) {
    return std::ranges::find(settling_options, option_of(difference)) == settling_options.end();
  });
  if (before.are_unsettled() == after.are_unsettled() && settings.empty()) return "";
  return fmt::format(
      "The files settled differently (old: {}; new: {}). A change may come from clocks that fall "
      "under load instead of the program.",
      settling_of(before, settings, &LaunchDifference::before),
      settling_of(after, settings, &LaunchDifference::after));
}

// In the order of the file.
Sentences values_of(Axis axis, const analysis::FileAnalysis& file) {
  Sentences values;
  for (const analysis::MeasuredCase& measured : file.cases()) {
    std::string word = word_of(axis, measured.what);
    if (word.empty()) word = "none";
    if (std::ranges::find(values, word) == values.end()) values.push_back(word);
  }
  return values;
}

// "Batch (16, 64 against 128)", or "" where a value is in both.
std::string difference_on(const AxisInfo& info, const analysis::FileAnalysis& before,
                          const analysis::FileAnalysis& after) {
  const Sentences old_values = values_of(info.axis, before), new_values = values_of(info.axis, after);
  const auto is_shared = [&](const std::string& value) {
    return std::ranges::find(new_values, value) != new_values.end();
  };
  if (std::ranges::any_of(old_values, is_shared)) return "";
  return fmt::format("{} ({} against {})", info.label, first_names(old_values, 6),
                     first_names(new_values, 6));
}

// Files may be compared whatever their settings of NCCL, and cases have no timing.
bool tells_cases_apart(Axis axis) { return axis != Axis::nccl && axis != Axis::timing; }

}  // namespace

std::vector<std::string> change_warnings(const Changes& changes, const LaunchDifferences& differences,
                                         const analysis::FileAnalysis& before,
                                         const analysis::FileAnalysis& after) {
  Sentences warnings;
  const std::string machine = machine_name(before.results());
  if (machine != machine_name(after.results())) {
    warnings.push_back(
        fmt::format("The files come from different machines ({} and {}). A change may come from the machine "
                    "instead of the program.",
                    machine, machine_name(after.results())));
  }
  if (const std::string settling = settling_difference(changes, differences); !settling.empty())
    warnings.push_back(settling);
  const auto recorded_once = std::ranges::count(changes, true, &analysis::CaseChange::is_one_recording);
  if (recorded_once > 0) {
    warnings.push_back(fmt::format(
        "{} of {} cases are the same recording in both files, so their comparison tells nothing new.",
        recorded_once, changes.size()));
  }
  const auto by_runs = std::ranges::count_if(changes, [](const analysis::CaseChange& change) {
    return change.unit == statistics::SamplingUnit::run && !change.is_one_recording;
  });
  if (by_runs > 0) {
    warnings.push_back(fmt::format(
        "{} of {} cases have one launch in each file. Their intervals are within one launch, so a "
        "difference between launches counts as a change.",
        by_runs, changes.size()));
  }
  const auto too_few = std::ranges::count_if(changes, [](const analysis::CaseChange& change) {
    return change.unit == statistics::SamplingUnit::launch && !change.ratio.has_bounds();
  });
  if (too_few > 0) {
    warnings.push_back(
        fmt::format("{} of {} cases have fewer than three launches in one of the files, so they have no "
                    "interval. Measure at least three launches for each file.",
                    too_few, changes.size()));
  }
  for (const auto& [one, other] : {std::pair(&before, &after), std::pair(&after, &before)}) {
    const Sentences missing = cases_without(changes, *one, other->results().path);
    warnings.insert(warnings.end(), missing.begin(), missing.end());
  }
  return warnings;
}

std::string why_no_common_case(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after) {
  const std::string& old_path = before.results().path;
  const std::string& new_path = after.results().path;
  for (const analysis::FileAnalysis* file : {&before, &after}) {
    if (file->cases().empty()) return fmt::format("'{}' has no case to compare", file->results().path);
  }
  std::vector<std::string> differences;
  for (const AxisInfo& info : axes()) {
    const std::string difference =
        tells_cases_apart(info.axis) ? difference_on(info, before, after) : std::string();
    if (!difference.empty()) differences.push_back(difference);
  }
  if (!differences.empty())
    return fmt::format("'{}' and '{}' have no case in common: they share no value of {}", old_path, new_path,
                       join_list(differences));
  const auto is_in_both = [&](const analysis::MeasuredCase& now) {
    return std::ranges::find(before.cases(), now.what, &analysis::MeasuredCase::what) != before.cases().end();
  };
  if (std::ranges::any_of(after.cases(), is_in_both))
    return fmt::format("no case has finished runs with the same --timing in both '{}' and '{}'", old_path,
                       new_path);
  return fmt::format(
      "'{}' and '{}' have no case in common: they share values of every axis, but never "
      "in the same combination",
      old_path, new_path);
}

}  // namespace breakeven::report
