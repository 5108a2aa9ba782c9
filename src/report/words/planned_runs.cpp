// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/planned_runs.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/lists.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

struct RunCounts {
  std::size_t done = 0;
  std::size_t verified = 0;
  std::size_t left_out = 0;
};

RunCounts count_runs(const Results& results) {
  RunCounts counts;
  for (const RecordedRun& run : results.runs) {
    if (analysis::is_done(run)) ++counts.done;
    if (run.status == RunStatus::verified) ++counts.verified;
    if (analysis::is_needless(run)) ++counts.left_out;
  }
  return counts;
}

const DeclaredTable declared_runs{
    {.command = "report",
     .json = "runs",
     .page = "report.md#provenance",
     .is_one = true,
     .columns = {number("planned", "", "", "runs of the plan"), number("done", "", "", "finished"),
                 number("verified", "", "", "read back and found whole"),
                 number("left_out", "", "", "by `--target-ci`"), datum("not_done", "", "the others")}}};
const DeclaredTable declared_missing_runs{
    {.command = "report",
     .json = "runs.not_done",
     .page = "report.md#provenance",
     .columns = {number("number", "", "", "place of the run in the plan"), columns::label}}};

}  // namespace

bool is_missing(const RecordedRun& run) { return !analysis::is_done(run) && !analysis::is_needless(run); }

std::string runs_in_words(const Results& results) {
  const RunCounts counts = count_runs(results);
  const std::size_t launches = results.launches.size(), machines = count_machines(results);
  std::string text = fmt::format("{} done of {} planned, {} of them read back and verified, in {} launch{}",
                                 format_count(counts.done), format_count(results.runs.size()),
                                 format_count(counts.verified), launches, launches == 1 ? "" : "es");
  if (launches > 1) text += machines == 1 ? " on one machine" : fmt::format(" on {} machines", machines);
  if (counts.left_out > 0)
    text += fmt::format("; {} left out because their cases were already precise enough",
                        format_count(counts.left_out));
  return text;
}

std::vector<std::string> missing_runs(const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  std::vector<std::string> lines;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    std::vector<std::size_t> numbers;
    for (const RecordedRun* run : summary.planned) {
      if (is_missing(*run)) numbers.push_back(static_cast<std::size_t>(run - results.runs.data()));
    }
    if (numbers.empty()) continue;
    lines.push_back(fmt::format("{}: {} of {} runs are missing (number {})", label_of(summary.what),
                                numbers.size(), summary.planned.size(), format_numbers(numbers)));
  }
  return lines;
}

namespace {

bool was_never_measured(const analysis::CaseSummary* summary) {
  return summary == nullptr || std::ranges::none_of(summary->planned, [](const RecordedRun* run) {
           return analysis::is_done(*run) || analysis::is_needless(*run);
         });
}

}  // namespace

std::string unmeasured_cases_in_words(const analysis::FileAnalysis& analysis) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> names;
  for (const analysis::MeasuredCase& one : analysis.cases())
    if (one.what.strategy != auto_strategy && was_never_measured(one.total) && was_never_measured(one.phases))
      names.push_back(case_in_words(one.what));
  if (names.empty()) return "";
  const std::size_t count = names.size();
  const bool are_too_many = count > most_named + 1;
  if (are_too_many) names.resize(most_named);
  return fmt::format(
      "Planned, but without a measured run: {}{}. {}", join_list(names),
      are_too_many ? fmt::format(" and {} more cases", count - most_named) : "",
      count == 1 ? "It failed, was killed, or is not over." : "They failed, were killed, or are not over.");
}

nlohmann::ordered_json runs_as_json(const Results& results) {
  const RunCounts counts = count_runs(results);
  nlohmann::ordered_json missing = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    if (is_missing(results.runs[i])) missing.push_back({{"number", i}, {"label", results.runs[i].label}});
  }
  return {{"planned", results.runs.size()},
          {"done", counts.done},
          {"verified", counts.verified},
          {"left_out", counts.left_out},
          {"not_done", missing}};
}

}  // namespace breakeven::report
