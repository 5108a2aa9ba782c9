// SPDX-License-Identifier: Apache-2.0
// The report as JSON. What was not measured is null.
#include "src/report/json_report.h"

#include <array>
#include <functional>
#include <span>

#include <nlohmann/json.hpp>

#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/launch_facts.h"
#include "src/report/machine.h"
#include "src/report/planned_runs.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array group_axes{Axis::model, Axis::precision, Axis::gemm, Axis::graph, Axis::data};
constexpr std::array answer_axes{Axis::model,     Axis::gpus, Axis::strategy, Axis::precision, Axis::gemm,
                                 Axis::transport, Axis::nccl, Axis::scaling,  Axis::graph,     Axis::data};

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

// Of a table that needs the whole file too.
Json rows_of_groups(const analysis::FileAnalysis& analysis,
                    ReportTable (*make_table)(const analysis::FileAnalysis&, const analysis::Group&)) {
  return rows_of_groups(analysis, [&](const analysis::Group& group) { return make_table(analysis, group); });
}

const DeclaredTable declared_keys{{.command = "report",
                                   .json = "fastest",
                                   .page = "report.md#for-machines",
                                   .columns = {datum("verdict_key", "", "key of the verdict")}}};

// The verdicts of the table are phrases; programs read their keys.
ReportTable fastest_with_keys(const analysis::Group& group) {
  ReportTable table = fastest_table(group);
  const std::vector<analysis::FastestConfiguration>& ways = group.fastest;
  table.columns.push_back(declared_keys.declaration().columns.front());
  for (std::size_t i = 0; i < ways.size(); ++i) table.rows[i].push_back(word_of(ways[i].decision.verdict));
  return table;
}

Json answers_of(const analysis::FileAnalysis& analysis) {
  Json answers = Json::array();
  for (const Answer& answer : answer_all(analysis)) {
    Json one = axes_as_json(*answer.what, answer_axes);
    one.update({{"measure", answer.measure}, {"sentence", answer.sentence}, {"loss", answer.loss}});
    answers.push_back(std::move(one));
  }
  return answers;
}

const DeclaredTable declared_whole{
    {.command = "report",
     .page = "report.md#for-machines",
     .columns = {columns::format,
                 columns::version,
                 columns::file,
                 columns::machine,
                 datum("vocabulary", "", "words and formats for readers of the JSON"),
                 datum("price_an_hour", "money", "`--price`"),
                 datum("answers", "", "for each model and strategy"),
                 datum("break_evens", "", "where more GPUs become faster"),
                 datum("warnings", "", "what to read before trusting the numbers"),
                 datum("runs", "", "of the plan"),
                 datum("cases", "", "the rows of the CSV"),
                 datum("ranks", "", "the cases' phases, by rank"),
                 datum("finished_runs", "", "run by run"),
                 datum("fastest", "", "strategy by batch"),
                 datum("autotuning", "", "what `auto` chose"),
                 datum("autotuning_candidates", "", "what `auto` chose among"),
                 datum("exchange", "", "against its formula"),
                 datum("bubbles", "", "of pipelines"),
                 datum("bounds", "", "of speed-ups"),
                 datum("loss_budgets", "", "of cases"),
                 datum("claims", "", "of the articles"),
                 datum("stragglers", "", "among the ranks"),
                 datum("roofline", "", "of phases"),
                 datum("launches", "", "starts of the program")}}};
const DeclaredTable declared_answers{
    {.command = "report",
     .json = "answers",
     .page = "report.md#answers",
     .columns = {columns::model, columns::gpus, columns::strategy, columns::precision, columns::gemm,
                 columns::collective, columns::nccl_settings, columns::scaling, columns::graph, columns::data,
                 datum("measure", "", "judged by `samples_per_second` or `time_to_quality`"),
                 columns::sentence, datum("loss", "", "what most of the loss goes to")}}};
}  // namespace

Json json_report(const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  const double price = analysis.price_an_hour();
  return {{"file", results.path},
          {"machine", machine_name(results)},
          {"vocabulary", json_vocabulary()},
          {"price_an_hour", price > 0 ? Json(price) : Json(nullptr)},
          {"answers", answers_of(analysis)},
          {"break_evens", render_json(tidy_break_evens(analysis))},
          {"warnings", warnings(analysis)},
          {"runs", runs_as_json(results)},
          {"cases", render_json(tidy_cases(analysis))},
          {"ranks", render_json(tidy_ranks(analysis))},
          {"finished_runs", render_json(tidy_runs(analysis))},
          {"fastest", rows_of_groups(analysis, fastest_with_keys)},
          {"autotuning", rows_of_groups(analysis, autotuning_table)},
          {"autotuning_candidates", rows_of_groups(analysis, candidates_table)},
          {"exchange", rows_of_groups(analysis, exchange_table)},
          {"bubbles", rows_of_groups(analysis, bubble_table)},
          {"bounds", rows_of_groups(analysis, bounds_table)},
          {"loss_budgets", render_json(tidy_budgets(analysis))},
          {"claims", render_json(tidy_claims(analysis))},
          {"stragglers", rows_of_groups(analysis, stragglers_table)},
          {"roofline", rows_of_groups(analysis, roofline_table)},
          {"launches", launches_as_json(results)}};
}

}  // namespace breakeven::report
