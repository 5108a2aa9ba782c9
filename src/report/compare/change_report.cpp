// SPDX-License-Identifier: Apache-2.0
// The verdict first, then what the files were measured with, then the cases.
#include "src/report/compare/change_report.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/analysis/case_change.h"
#include "src/analysis/file_analysis.h"
#include "src/core/failure.h"
#include "src/report/compare/change_warnings.h"
#include "src/report/compare/gate_words.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/document.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/launch_facts.h"

namespace breakeven::report {
namespace {

using Sentences = std::vector<std::string>;

struct Findings {
  std::vector<LaunchDifference> differences;
  std::vector<analysis::CaseChange> changes;
  std::optional<Gate> gate;
  Sentences warnings;
};

// Paths of the cases on which the gate has this verdict.
Sentences cases_with(analysis::GateVerdict verdict, const Findings& findings) {
  Sentences paths;
  for (std::size_t i = 0; findings.gate && i < findings.changes.size(); ++i) {
    if (findings.gate->checks[i].verdict == verdict) paths.push_back(path_of(findings.changes[i].what));
  }
  return paths;
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
  const auto cell = [](const std::string& word) { return word.empty() ? dash_cell() : Cell(word); };
  for (const LaunchDifference& difference : differences)
    table.rows.push_back({difference.fact, cell(difference.before), cell(difference.after)});
  return table;
}

const DeclaredTable declared_changes{
    {.command = "compare",
     .title = "Samples a second, new / old, with 95 % intervals; a step: geometric mean; FASTER and SLOWER "
              "corrected for multiple comparisons",
     .page = "compare.md",
     .columns = {columns::batch, columns::strategy,
                 number("old_step_seconds", "Old\na step", "s", "geometric mean of the units' mean steps"),
                 number("new_step_seconds", "New\na step", "s", "geometric mean of the units' mean steps"),
                 words("speed_ratio", "Speed,\nnew / old", "of samples/s: old step / new step"),
                 words("units", "Units", "that the interval counts").elsewhere(),
                 words("change", "Change", "faster, slower, same, unclear, not measured"),
                 words("gate_verdict", "Gate", "holds, regression, inconclusive: with `--gate`")}}};

bool is_of(const analysis::Group& group, const analysis::CaseChange& change) {
  return std::ranges::any_of(group.cases, [&](const analysis::CaseResult& result) {
    return result.measured->total == change.after || result.measured->phases == change.after;
  });
}

ReportTable changes_table(const Findings& findings, const analysis::Group& group) {
  ReportTable table = declared_changes.empty();
  if (!findings.gate) table.columns.pop_back();
  ReportTable not_measured = table;  // without units, behind the others
  for (std::size_t i = 0; i < findings.changes.size(); ++i) {
    const analysis::CaseChange& change = findings.changes[i];
    if (!is_of(group, change)) continue;
    const bool is_measured = change.change != analysis::Change::not_measured;
    std::vector<Cell>& row =
        (is_measured ? table : not_measured)
            .rows.emplace_back(std::vector<Cell>{
                batch_cell(change.what), strategy_of(change.what, group),
                format_seconds(change.old_step.seconds), format_seconds(change.new_step.seconds),
                format_ratio(change.ratio),
                is_measured ? Cell(units_in_words(change.ratio.n, change.unit)) : dash_cell(),
                word_of(change.change)});
    if (findings.gate)
      row.push_back(is_measured ? Cell(gate_in_words(change, findings.gate->checks[i])) : dash_cell());
  }
  say_shared({"units"}, table);
  if (table.columns.size() < not_measured.columns.size()) drop_column("units", not_measured);
  std::ranges::move(not_measured.rows, std::back_inserter(table.rows));
  return table;
}

// A compared case, and its check where there is a gate.
struct ChangeRow {
  const analysis::CaseChange& change;
  const analysis::GateCheck* check;
};

const TidyTable<ChangeRow> change_rows(
    {.command = "compare", .json = "cases", .page = "compare.md"},
    {{axis_columns(), [](auto& one, TidyRow& row) { add_axes(*one.change.after, row); }},
     {datum("old_step_seconds", "s", "geometric mean of the units' mean steps, old file"),
      [](auto& one) { return one.change.old_step.seconds; }},
     {datum("new_step_seconds", "s", "geometric mean of the units' mean steps, new file"),
      [](auto& one) { return one.change.new_step.seconds; }},
     {datum("speed_ratio", "", "of samples/s: old step / new step"),
      [](auto& one) { return one.change.ratio; }},
     {words("unit", "", "what the interval counts"),
      [](auto& one) { return Cell(word_of(one.change.unit)); }},
     {number("units", "", "", "how many of those, in the file that has fewer"),
      [](auto& one) { return count_cell(one.change.ratio.n); }},
     {words("change", "", "faster, slower, same, unclear, not measured"),
      [](auto& one) { return Cell(word_of(one.change.change)); }},
     {words("gate_verdict", "", "holds, regression, inconclusive; null without `--gate`"),
      [](auto& one) { return one.check == nullptr ? dash_cell() : Cell(word_of(one.check->verdict)); }},
     {number("needed_units", "", "", "in each file, to see a change as large as the gate"), [](auto& one) {
        const bool is_known = one.check != nullptr && one.check->needed_units;
        return is_known ? count_cell(*one.check->needed_units) : dash_cell();
      }}});

ReportTable tidy_changes(const Findings& findings) {
  ReportTable table = change_rows.empty();
  for (std::size_t i = 0; i < findings.changes.size(); ++i)
    change_rows.add({findings.changes[i], findings.gate ? &findings.gate->checks[i] : nullptr}, table);
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

Document document_of(const Findings& findings, const analysis::FileAnalysis& before,
                     const analysis::FileAnalysis& after) {
  Document document;
  document.heading(1, fmt::format("breakeven compare: {} → {}", before.results().path, after.results().path));
  if (findings.gate) document.paragraph(gate_in_words(findings.changes, *findings.gate));
  for (const std::string& path : cases_with(analysis::GateVerdict::regression, findings)) document.item(path);
  document.paragraph(summary_of(findings.changes));
  for (const std::string& warning : findings.warnings) document.item(warning);
  if (findings.differences.empty())
    document.paragraph("Both files were measured with the same machine, program and settings.");
  document.table(differences_table(findings.differences));
  for (const analysis::Group& group : after.groups()) {
    ReportTable changes = changes_table(findings, group);
    if (changes.rows.empty()) continue;
    document.heading(2, title_of(after, group));
    document.paragraph(settings_of(group));
    document.table(std::move(changes));
  }
  return document;
}

const DeclaredTable declared_comparison{
    {.command = "compare",
     .page = "compare.md",
     .format = "breakeven comparison",
     .version = 3,
     .columns = {
         columns::format, columns::version, words("old", "", "file"), words("new", "", "file"),
         datum("differences", "", "between the launches"),
         datum("warnings", "", "sentences").typed(JsonType::texts), datum("cases", "", "the rows of the CSV"),
         datum("gate", "share", "`--gate`"),
         words("gate_verdict", "", "the worst of all cases: holds, inconclusive, regression"),
         datum("regressions", "", "cases that are slower by the gate or more").typed(JsonType::texts),
         datum("inconclusive", "", "cases that may be").typed(JsonType::texts),
         number("needed_runs", "", "", "in each file, for inconclusive cases with intervals between runs"),
         number("needed_launches", "", "", "the same, with intervals between launches")}}};

nlohmann::ordered_json json_of(const Findings& findings, const analysis::FileAnalysis& before,
                               const analysis::FileAnalysis& after) {
  nlohmann::ordered_json json{{"old", before.results().path},
                              {"new", after.results().path},
                              {"differences", render_json(differences_table(findings.differences))},
                              {"warnings", findings.warnings},
                              {"cases", render_json(tidy_changes(findings))}};
  const auto& gate = findings.gate;
  const auto needed = [&](statistics::SamplingUnit unit) -> nlohmann::ordered_json {
    const auto units = gate ? needed_units(unit, findings.changes, *gate) : std::nullopt;
    return units ? nlohmann::ordered_json(*units) : nlohmann::ordered_json(nullptr);
  };
  json["gate"] = gate ? nlohmann::ordered_json(gate->share) : nlohmann::ordered_json(nullptr);
  json["gate_verdict"] =
      gate ? nlohmann::ordered_json(word_of(worst_of(gate->checks))) : nlohmann::ordered_json(nullptr);
  json["regressions"] = cases_with(analysis::GateVerdict::regression, findings);
  json["inconclusive"] = cases_with(analysis::GateVerdict::inconclusive, findings);
  json["needed_runs"] = needed(statistics::SamplingUnit::run);
  json["needed_launches"] = needed(statistics::SamplingUnit::launch);
  return json;
}

}  // namespace

ChangeReport make_change_report(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after,
                                ReportFormat format, std::optional<double> gate) {
  Findings findings;
  findings.differences = launch_differences(before.results(), after.results());
  // No case is "same" that a gate calls a regression.
  const double tolerance =
      std::min(statistics::practical_equivalence, gate.value_or(statistics::practical_equivalence));
  findings.changes = analysis::compare_files(before.cases(), after.cases(), tolerance);
  const auto has_wrong = [&](const analysis::CaseSummary* analysis::CaseChange::*side) {
    return std::ranges::any_of(findings.changes, [&](const analysis::CaseChange& change) {
      return analysis::has_fault(*(change.*side));
    });
  };
  const bool has_wrong_old = has_wrong(&analysis::CaseChange::before);
  const bool has_wrong_new = has_wrong(&analysis::CaseChange::after);
  const bool is_compared = std::ranges::any_of(findings.changes, [](const analysis::CaseChange& change) {
    return analysis::is_done(change.before) && analysis::is_done(change.after);
  });
  if (!is_compared && !has_wrong_old && !has_wrong_new)
    throw Failure(ExitCode::file, why_no_common_case(before, after));
  std::ranges::sort(findings.changes, {}, [](const analysis::CaseChange& change) {
    const Case& what = change.what;
    return std::tuple(change.after->parameters, what.batch, what.gpus, path_of(what));
  });
  findings.warnings = change_warnings(findings.changes, findings.differences, before, after);
  if (gate) findings.gate = Gate{*gate, analysis::check_gate(findings.changes, *gate)};
  return {.text = print({.whole = declared_comparison,
                         .document = [&] { return document_of(findings, before, after); },
                         .rows = [&] { return tidy_changes(findings); },
                         .json = [&] { return json_of(findings, before, after); }},
                        format),
          .gate = gate ? std::optional(worst_of(findings.gate->checks)) : std::nullopt,
          .has_wrong_old = has_wrong_old,
          .has_wrong_new = has_wrong_new};
}

}  // namespace breakeven::report
