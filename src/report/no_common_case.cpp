// SPDX-License-Identifier: Apache-2.0
#include "src/report/no_common_case.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/core/text/lists.h"

namespace breakeven::report {
namespace {

using Values = std::vector<std::string>;

// In the order of the file.
Values values_of(Axis axis, const analysis::FileAnalysis& file) {
  Values values;
  for (const analysis::MeasuredCase& measured : file.cases()) {
    std::string word = word_of(axis, measured.what);
    if (word.empty()) word = "none";
    if (std::ranges::find(values, word) == values.end()) values.push_back(word);
  }
  return values;
}

std::string in_words(Values values) {
  constexpr std::size_t most = 6;
  const std::size_t others = values.size() - std::min(values.size(), most);
  values.resize(values.size() - others);
  return join_list(values) + (others > 0 ? fmt::format(" and {} more", others) : "");
}

// "Batch (16, 64 against 128)", or "" where a value is in both.
std::string difference_on(const AxisInfo& info, const analysis::FileAnalysis& before,
                          const analysis::FileAnalysis& after) {
  const Values old_values = values_of(info.axis, before), new_values = values_of(info.axis, after);
  const auto is_shared = [&](const std::string& value) {
    return std::ranges::find(new_values, value) != new_values.end();
  };
  if (std::ranges::any_of(old_values, is_shared)) return "";
  return fmt::format("{} ({} against {})", info.label, in_words(old_values), in_words(new_values));
}

// Files may be compared whatever their settings of NCCL, and cases have no timing.
bool tells_cases_apart(Axis axis) { return axis != Axis::nccl && axis != Axis::timing; }

}  // namespace

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
