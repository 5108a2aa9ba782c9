// SPDX-License-Identifier: Apache-2.0
// The report as JSON. What was not measured is null.
#include "src/report/json_report.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"
#include "src/report/report.h"
#include "src/report/sections/report_sections.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"
#include "src/report/words/planned_runs.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

Json axes_as_json(const Case& what, std::span<const Axis> list) {
  Json object = Json::object();
  for (const Axis axis : list) {
    std::visit([&](const auto& value) { object[info_of(axis).key] = value; }, axis_value(axis, what));
  }
  return object;
}

// The rows of one table of every group, each with the axes of its group.
Json rows_of_groups(const analysis::FileAnalysis& analysis,
                    const std::function<ReportTable(const analysis::Group&)>& make_table) {
  Json rows = Json::array();
  for (const analysis::Group& group : analysis.groups()) {
    for (const Json& row : render_json(make_table(group))) {
      rows.push_back(axes_as_json(*group.key, group_axes));
      rows.back().update(row);
    }
  }
  return rows;
}

// For a table that needs the whole file too.
Json rows_of_groups(const analysis::FileAnalysis& analysis,
                    ReportTable (*make_table)(const analysis::FileAnalysis&, const analysis::Group&)) {
  return rows_of_groups(analysis, [&](const analysis::Group& group) { return make_table(analysis, group); });
}

const DeclaredTable declared_keys{{.command = "report",
                                   .json = "fastest",
                                   .page = "report.md#csv-json-and-figures-of-merit",
                                   .columns = {words("verdict_key", "", "key of the verdict")}}};

// The verdicts of the table are phrases; programs read their keys.
ReportTable fastest_with_keys(const analysis::Group& group) {
  ReportTable table = fastest_rows(group);
  const std::vector<analysis::FastestConfiguration>& configs = group.fastest;
  table.columns.push_back(declared_keys.declaration().columns.front());
  for (std::size_t i = 0; i < configs.size(); ++i)
    table.rows[i].push_back(word_of(configs[i].line->comparison.decision.verdict));
  return table;
}

Json answers_of(const analysis::FileAnalysis& analysis) {
  Json answers = Json::array();
  for (const Answer& answer : answer_all(analysis)) {
    Json one = axes_as_json(*answer.what, answer_axes);
    one.update({{"measure", answer.measure},
                {"sentence", answer.sentence},
                {"faster_single", answer.faster_single},
                {"loss", answer.loss},
                {"conditions", answer.conditions}});
    answers.push_back(std::move(one));
  }
  return answers;
}

Json verdicts_as_json(const AnalysedFile& file) {
  Json verdicts = Json::array();
  for (const Verdict& verdict : file.verdicts) {
    const Case& what = verdict.evidence->measured->what;
    Json one = axes_as_json(what, answer_axes);
    one.update({{"batch", what.batch},
                {"verdict", word_of(verdict.evidence->comparison.decision.verdict)},
                {"sentence", verdict.sentence}});
    verdicts.push_back(std::move(one));
  }
  return verdicts;
}

Json headline_of(const AnalysedFile& file) { return verdicts_in_brief(file.analysis, file.verdicts); }

Json machine_of(const analysis::FileAnalysis& analysis) { return machine_name(analysis.results()); }

Json price_of(const analysis::FileAnalysis& analysis) {
  return analysis.price_an_hour() > 0 ? Json(analysis.price_an_hour()) : Json(nullptr);
}

template <auto make_table>
Json rows_of(const analysis::FileAnalysis& analysis) {
  if constexpr (std::is_invocable_v<decltype(make_table), const analysis::FileAnalysis&>)
    return render_json(make_table(analysis));
  else
    return rows_of_groups(analysis, make_table);
}

// A key of the whole, and what stands there. The tables of src/report/tables follow with keys of their own.
struct Part {
  DeclaredColumn key;
  std::function<Json(const AnalysedFile&)> make;
  bool is_of_groups = false;  // each row has the axes of its group
};

template <auto make_table>
Part rows_at(std::string_view key, std::string_view meaning) {
  return {.key = datum(key, "", meaning),
          .make = rows_of<make_table>,
          .is_of_groups = !std::is_invocable_v<decltype(make_table), const analysis::FileAnalysis&>};
}

const std::vector<Part>& parts() {
  using Analysis = analysis::FileAnalysis;
  static const std::vector<Part> all{
      {columns::file, [](const Analysis& analysis) -> Json { return analysis.results().path; }},
      {columns::machine, machine_of},
      {datum("vocabulary", "", "words and formats for readers of the JSON"),
       [](const Analysis& analysis) { return json_vocabulary(phases_not_recorded(analysis)); }},
      {datum("price_an_hour", "money", "`--price`"), price_of},
      {datum("headline", "", "the lines that the report begins with").typed(JsonType::texts), headline_of},
      {datum("verdicts", "", "for each model and number of GPUs, by the fastest configuration"),
       verdicts_as_json},
      {datum("answers", "", "for each model and strategy"), answers_of},
      rows_at<tidy_break_evens>("break_evens", "where more GPUs become faster"),
      {datum("warnings", "", "what to read before trusting the numbers").typed(JsonType::texts),
       [](const Analysis& analysis) -> Json { return warnings(analysis); }},
      {columns::warning_pages,
       [](const Analysis& analysis) -> Json { return pages_of_warnings(warnings(analysis)); }},
      {datum("runs", "", "of the plan"),
       [](const Analysis& analysis) { return runs_as_json(analysis.results()); }},
      rows_at<tidy_cases>("cases", "the rows of the CSV"),
      rows_at<tidy_ranks>("ranks", "the cases' phases, by rank"),
      rows_at<tidy_runs>("finished_runs", "run by run"),
      rows_at<fastest_with_keys>("fastest", "strategy by batch"),
      rows_at<autotuning_table>("autotuning", "what `auto` chose"),
      rows_at<candidates_table>("autotuning_candidates", "what `auto` chose among"),
      rows_at<exchange_table>("exchange", "against its formula"),
      rows_at<bubble_table>("bubbles", "of pipelines"),
      rows_at<tidy_budgets>("loss_budgets", "of cases"),
      rows_at<tidy_claims>("claims", "of the articles"),
      rows_at<stragglers_table>("stragglers", "among the ranks"),
      rows_at<roofline_table>("roofline", "of phases"),
      {datum("launches", "", "starts of the program"),
       [](const Analysis& analysis) { return launches_as_json(analysis.results()); }}};
  return all;
}

DeclaredColumns keys_of_whole() {
  DeclaredColumns keys{columns::format, columns::version};
  for (const Part& part : parts()) keys.push_back(part.key);
  return keys;
}

const DeclaredTable declared_report{{.command = "report",
                                     .page = "report.md#csv-json-and-figures-of-merit",
                                     .format = "breakeven report",
                                     .version = report_version,
                                     .columns = keys_of_whole()}};
const DeclaredTable declared_verdicts{
    {.command = "report",
     .json = "verdicts",
     .page = "report.md#answers",
     .columns = joined({answer_axis_columns(), {columns::batch, columns::verdict, columns::sentence}})}};
const DeclaredTable declared_answers{
    {.command = "report",
     .json = "answers",
     .page = "report.md#answers",
     .columns =
         joined({answer_axis_columns(),
                 {words("measure", "", "judged by `samples_per_second` or `time_to_quality`"),
                  columns::sentence, words("faster_single", "", "that one GPU is faster with other settings"),
                  words("loss", "", "what most of the loss goes to"),
                  words("conditions", "", "how long, and at which clocks, both sides were measured")}})}};

}  // namespace

const DeclaredTable& whole_report() { return declared_report; }

DeclaredColumns json_columns(const TableDeclaration& one) {
  const bool is_whole = &one == &declared_report.declaration();
  bool is_of_groups = one.command == declared_report.declaration().command &&
                      std::ranges::any_of(parts(), [&](const Part& part) {
                        return part.is_of_groups && part.key.key == one.json;
                      });
  DeclaredColumns axes, sections;
  for (const TableSection* section : table_sections()) {
    const TableDeclaration& table = section->table.declaration();
    is_of_groups |= &one == &table && !table.json.empty();
    if (is_whole && !table.json.empty()) sections.push_back(datum(table.json, "", section->holds));
  }
  for (const Axis axis : group_axes) {
    if (is_of_groups) axes.push_back(axis_column(axis).headed("").always_known());
  }
  return joined({axes, one.columns, sections});
}

Json json_report(const analysis::FileAnalysis& analysis) {
  const AnalysedFile file{analysis};
  Json report = Json::object();
  for (const Part& part : parts()) report[part.key.key] = part.make(file);
  for (const TableSection* section : table_sections()) {
    const std::string_view key = section->table.declaration().json;
    if (key.empty()) continue;
    report[std::string(key)] = rows_of_groups(
        analysis, [&](const analysis::Group& group) { return section->filled(analysis, group); });
  }
  return report;
}

}  // namespace breakeven::report
