// SPDX-License-Identifier: Apache-2.0
// What is different first, then the cases, then what to make of them.
#include "src/report/change_report.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/analysis/case_change.h"
#include "src/analysis/file_analysis.h"
#include "src/report/columns.h"
#include "src/report/document.h"
#include "src/report/launch_facts.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

using Sentences = std::vector<std::string>;

struct Findings {
  std::vector<LaunchDifference> differences;
  std::vector<analysis::CaseChange> changes;
  std::vector<std::string> regressions;
  Sentences warnings;
};

// What the one file has and the other lacks, runs not done included.
Sentences cases_without(const std::vector<analysis::CaseChange>& changes, const analysis::FileAnalysis& file,
                        const std::string& other) {
  constexpr std::size_t most_named = 4;
  Sentences names;
  for (const analysis::MeasuredCase& measured : file.cases()) {
    const bool is_compared = std::ranges::any_of(changes, [&](const analysis::CaseChange& change) {
      return measured.total == change.before || measured.total == change.after ||
             measured.phases == change.before || measured.phases == change.after;
    });
    if (!is_compared) names.push_back(path_of(measured.what));
  }
  if (names.empty()) return {};
  const std::size_t count = names.size();
  names.resize(std::min(count, most_named));
  return {fmt::format("{} of the {} cases of {} have no finished runs in {}: {}{}.", count,
                      file.cases().size(), file.results().path, other, fmt::join(names, ", "),
                      count > most_named ? fmt::format(" and {} more", count - most_named) : "")};
}

Sentences warnings_of(const std::vector<analysis::CaseChange>& changes, const analysis::FileAnalysis& before,
                      const analysis::FileAnalysis& after) {
  Sentences warnings;
  const std::string machine = machine_name(before.results());
  if (machine != machine_name(after.results())) {
    warnings.push_back(fmt::format(
        "The files come from different machines ({} and {}): a change may be the machine's as well as the "
        "program's.",
        machine, machine_name(after.results())));
  }
  const bool by_runs = std::ranges::any_of(
      changes, [](const analysis::CaseChange& change) { return change.unit == SamplingUnit::run; });
  if (by_runs) {
    warnings.push_back(
        "Some cases have fewer than three launches in one of the files: their intervals are of runs, and "
        "what "
        "changes from one launch to the next counts as a change.");
  }
  for (const auto& [one, other] : {std::pair(&before, &after), std::pair(&after, &before)}) {
    const Sentences missing = cases_without(changes, *one, other->results().path);
    warnings.insert(warnings.end(), missing.begin(), missing.end());
  }
  return warnings;
}

const DeclaredTable declared_differences{
    {.command = "compare",
     .json = "differences",
     .title = "What the files were measured with, where it differs",
     .page = "compare.md",
     .columns = {words("fact", "Fact", "that differs between the files"),
                 words("old", "Old", "in the old file"), words("new", "New", "in the new file")}}};

ReportTable differences_table(const std::vector<LaunchDifference>& differences) {
  ReportTable table = declared_differences.empty();
  const auto cell = [](const std::string& word) {
    return word.empty() ? Cell(std::string(dash), {}) : Cell(word);
  };
  for (const LaunchDifference& difference : differences)
    table.rows.push_back({difference.fact, cell(difference.before), cell(difference.after)});
  return table;
}

const DeclaredTable declared_changes{
    {.command = "compare",
     .title = "Samples a second, new over old, with the 95 % interval; changes that hold together",
     .page = "compare.md",
     .columns = {words("case", "Case", "all its axes"),
                 number("old_step_seconds", "Old\na step", "s", "mean step, old file"),
                 number("new_step_seconds", "New\na step", "s", "mean step, new file"),
                 words("speed_ratio", "Speed,\nnew / old", "of samples/s; below 1 the new file is slower"),
                 words("units", "Units", "that the interval counts"),
                 words("change", "Change", "faster, slower, same, unclear, not measured")}}};

ReportTable changes_table(const std::vector<analysis::CaseChange>& changes) {
  ReportTable table = declared_changes.empty();
  for (const analysis::CaseChange& change : changes) {
    table.rows.push_back({path_of(change.what), format_seconds(change.before->step.mean_seconds),
                          format_seconds(change.after->step.mean_seconds), format_ratio(change.ratio),
                          fmt::format("{} {}{}", change.ratio.n, word_of(change.unit),
                                      change.unit == SamplingUnit::launch ? "es" : "s"),
                          word_of(change.change)});
  }
  return table;
}

const DeclaredTable declared_change_rows{
    {.command = "compare",
     .json = "cases",
     .page = "compare.md",
     .columns =
         joined({axis_columns(),
                 {datum("old_step_seconds", "s", "mean step, old file"),
                  datum("new_step_seconds", "s", "mean step, new file"),
                  datum("speed_ratio", "", "of samples/s; below 1 the new file is slower").with_interval(),
                  datum("unit", "", "what the interval counts"), datum("units", "", "how many of those"),
                  datum("change", "", "faster, slower, same, unclear, not measured")}})}};

ReportTable tidy_changes(const std::vector<analysis::CaseChange>& changes) {
  ReportTable table = declared_change_rows.empty();
  for (const analysis::CaseChange& change : changes) {
    TidyRow row;
    add_axes(*change.after, row);
    row.add("old_step_seconds", change.before->step.mean_seconds)
        .add("new_step_seconds", change.after->step.mean_seconds)
        .add("speed_ratio", change.ratio)
        .add("unit", Cell(word_of(change.unit)))
        .add("units", change.ratio.n)
        .add("change", Cell(word_of(change.change)));
    append(std::move(row), table);
  }
  return table;
}

std::string summary_of(const std::vector<analysis::CaseChange>& changes) {
  std::string text = fmt::format("{} cases compared", changes.size());
  for (const analysis::Change change :
       {analysis::Change::slower, analysis::Change::faster, analysis::Change::same, analysis::Change::unclear,
        analysis::Change::not_measured}) {
    const auto count = std::ranges::count(changes, change, &analysis::CaseChange::change);
    if (count > 0) text += fmt::format(", {} {}", count, word_of(change));
  }
  return text + ".";
}

// A gate that nothing went through, or a number that is none, is not met.
bool is_met(const Findings& findings) {
  const bool is_measured = std::ranges::none_of(findings.changes, [](const analysis::CaseChange& change) {
    return change.change == analysis::Change::not_measured;
  });
  return findings.regressions.empty() && !findings.changes.empty() && is_measured;
}

std::string gate_in_words(const Findings& findings, double gate) {
  if (findings.regressions.empty() && !is_met(findings))
    return fmt::format("The gate of {} is not met: there are no cases, or not all have numbers.",
                       format_percent(gate));
  if (findings.regressions.empty())
    return fmt::format("The gate of {} holds: no case is proved slower by more.", format_percent(gate));
  return fmt::format("The gate of {} is not met: {} slower beyond it: {}.", format_percent(gate),
                     findings.regressions.size() == 1 ? "one case is" : "several cases are",
                     fmt::join(findings.regressions, "; "));
}

Document document_of(const Findings& findings, const analysis::FileAnalysis& before,
                     const analysis::FileAnalysis& after, std::optional<double> gate) {
  Document document;
  document.heading(1, fmt::format("breakeven compare: {} → {}", before.results().path, after.results().path));
  if (findings.differences.empty())
    document.paragraph("Both files were measured with the same machine, program and settings.");
  document.table(differences_table(findings.differences));
  for (const std::string& warning : findings.warnings) document.item(warning);
  document.table(changes_table(findings.changes));
  document.paragraph(summary_of(findings.changes));
  if (gate) document.paragraph(gate_in_words(findings, *gate));
  return document;
}

const DeclaredTable declared_whole{
    {.command = "compare",
     .page = "compare.md",
     .columns = {columns::format, columns::version, datum("old", "", "file"), datum("new", "", "file"),
                 datum("differences", "", "between the launches"), datum("warnings", "", "sentences"),
                 datum("cases", "", "the rows of the CSV"), datum("gate", "share", "`--gate`"),
                 datum("regressions", "", "cases that do not meet it")}}};

nlohmann::ordered_json json_of(const Findings& findings, const analysis::FileAnalysis& before,
                               const analysis::FileAnalysis& after, std::optional<double> gate) {
  return {{"old", before.results().path},
          {"new", after.results().path},
          {"differences", render_json(differences_table(findings.differences))},
          {"warnings", findings.warnings},
          {"cases", render_json(tidy_changes(findings.changes))},
          {"gate", gate ? nlohmann::ordered_json(*gate) : nlohmann::ordered_json(nullptr)},
          {"regressions", findings.regressions}};
}

}  // namespace

ChangeReport make_change_report(const Results& old_results, const Results& new_results, ReportFormat format,
                                std::optional<double> gate) {
  const analysis::FileAnalysis before(old_results);
  const analysis::FileAnalysis after(new_results);
  Findings findings;
  findings.differences = launch_differences(old_results, new_results);
  // A gate finer than what counts as the same would never close.
  const double tolerance = std::min(practical_equivalence, gate.value_or(practical_equivalence));
  findings.changes = analysis::compare_files(before.cases(), after.cases(), tolerance);
  std::ranges::sort(findings.changes, {}, [](const analysis::CaseChange& change) {
    const Case& what = change.what;
    return std::tuple(change.after->parameters, what.batch, what.gpus, path_of(what));
  });
  findings.warnings = warnings_of(findings.changes, before, after);
  for (const analysis::CaseChange& change : findings.changes) {
    if (gate && is_regression(change, *gate)) findings.regressions.push_back(path_of(change.what));
  }
  return {.text = print({.name = "breakeven comparison",
                         .version = change_report_version,
                         .document = [&] { return document_of(findings, before, after, gate); },
                         .rows = [&] { return tidy_changes(findings.changes); },
                         .json = [&] { return json_of(findings, before, after, gate); }},
                        format),
          .is_gate_met = !gate || is_met(findings)};
}

}  // namespace breakeven
