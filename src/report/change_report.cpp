// SPDX-License-Identifier: Apache-2.0
// The verdict first, then what the files were measured with, then the cases.
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

namespace breakeven::report {
namespace {

using Sentences = std::vector<std::string>;

struct Findings {
  std::vector<LaunchDifference> differences;
  std::vector<analysis::CaseChange> changes;
  std::vector<std::string> regressions;
  Sentences warnings;
};

// Cases of one file that have no finished runs in the other.
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
    warnings.push_back(
        fmt::format("The files come from different machines ({} and {}). A change may come from the machine "
                    "instead of the "
                    "program.",
                    machine, machine_name(after.results())));
  }
  const bool by_runs = std::ranges::any_of(changes, [](const analysis::CaseChange& change) {
    return change.unit == statistics::SamplingUnit::run;
  });
  if (by_runs) {
    warnings.push_back(
        "Some cases have fewer than three launches in one of the files. Their intervals are between runs, so "
        "a "
        "difference between launches counts as a change.");
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
     .title = "What differs between the measurements of the two files",
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
     .title = "Samples a second, new / old, with 95 % intervals; verdicts corrected for multiple comparisons",
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
                                      change.unit == statistics::SamplingUnit::launch ? "es" : "s"),
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
  std::string text = fmt::format("{} case{} compared:", changes.size(), changes.size() == 1 ? "" : "s");
  for (const analysis::Change change :
       {analysis::Change::slower, analysis::Change::faster, analysis::Change::same, analysis::Change::unclear,
        analysis::Change::not_measured}) {
    const auto count = std::ranges::count(changes, change, &analysis::CaseChange::change);
    if (count > 0) text += fmt::format(" {} {},", count, word_of(change));
  }
  text.back() = '.';
  return text;
}

// A gate without cases, or with a case that lacks a number, is not met.
bool is_met(const Findings& findings) {
  const bool is_measured = std::ranges::none_of(findings.changes, [](const analysis::CaseChange& change) {
    return change.change == analysis::Change::not_measured;
  });
  return findings.regressions.empty() && !findings.changes.empty() && is_measured;
}

std::string gate_in_words(const Findings& findings, double gate) {
  if (findings.regressions.empty() && !is_met(findings))
    return fmt::format("The gate of {} is not met: no cases were compared, or some were not measured.",
                       format_percent(gate));
  if (findings.regressions.empty())
    return fmt::format("The gate of {} is met: no case is proved slower by more.", format_percent(gate));
  return fmt::format("The gate of {} is not met. These cases are proved slower by more:",
                     format_percent(gate));
}

Document document_of(const Findings& findings, const analysis::FileAnalysis& before,
                     const analysis::FileAnalysis& after, std::optional<double> gate) {
  Document document;
  document.heading(1, fmt::format("breakeven compare: {} → {}", before.results().path, after.results().path));
  if (gate) document.paragraph(gate_in_words(findings, *gate));
  for (const std::string& regression : findings.regressions) document.item(regression);
  document.paragraph(summary_of(findings.changes));
  for (const std::string& warning : findings.warnings) document.item(warning);
  if (findings.differences.empty())
    document.paragraph("Both files were measured with the same machine, program and settings.");
  document.table(differences_table(findings.differences));
  document.table(changes_table(findings.changes));
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

ChangeReport make_change_report(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after,
                                ReportFormat format, std::optional<double> gate) {
  Findings findings;
  findings.differences = launch_differences(before.results(), after.results());
  // A gate below the tolerance of "same" would never find a regression.
  const double tolerance =
      std::min(statistics::practical_equivalence, gate.value_or(statistics::practical_equivalence));
  findings.changes = analysis::compare_files(before.cases(), after.cases(), tolerance);
  std::ranges::sort(findings.changes, {}, [](const analysis::CaseChange& change) {
    const Case& what = change.what;
    return std::tuple(change.after->parameters, what.batch, what.gpus, path_of(what));
  });
  findings.warnings = warnings_of(findings.changes, before, after);
  for (const analysis::CaseChange& change : findings.changes) {
    if (gate && analysis::is_regression(change, *gate)) findings.regressions.push_back(path_of(change.what));
  }
  return {.text = print({.name = "breakeven comparison",
                         .version = change_report_version,
                         .document = [&] { return document_of(findings, before, after, gate); },
                         .rows = [&] { return tidy_changes(findings.changes); },
                         .json = [&] { return json_of(findings, before, after, gate); }},
                        format),
          .is_gate_met = !gate || is_met(findings)};
}

}  // namespace breakeven::report
