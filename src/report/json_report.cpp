// SPDX-License-Identifier: Apache-2.0
// The report as JSON. What was not measured is null.
#include "src/report/json_report.h"
#include "src/report/columns.h"

#include <array>
#include <cmath>
#include <functional>
#include <span>

#include <nlohmann/json.hpp>

#include "src/report/axis_cell.h"
#include "src/report/machine.h"
#include "src/report/report.h"
#include "src/report/roofline_json.h"
#include "src/report/sections.h"
#include "src/report/vocabulary.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json pairs_as_object(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

Json ranks_of(const Topology& topology) {
  Json ranks = Json::array();
  for (const RankInfo& rank : topology.ranks) {
    const DeviceInfo& device = rank.device;
    ranks.push_back({{"host", rank.host},
                     {"backend", device.backend},
                     {"name", device.name},
                     {"uuid", device.uuid},
                     {"pci_address", device.pci_address},
                     {"memory_bytes", device.memory_bytes},
                     {"numa_node", device.numa_node}});
  }
  return ranks;
}

Json roofline_of(const Launch& launch) {
  Json ranks = Json::array();
  for (const Roofline& roofline : launch.roofline) ranks.push_back(roofline_as_json(roofline));
  return ranks;
}

Json links_of(const Topology& topology) {
  Json links = Json::array();
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const Link& link = topology.links[i];
    links.push_back({{"from", i / ranks},
                     {"to", i % ranks},
                     {"kind", link.kind},
                     {"peer_access", link.peer_access},
                     {"bytes_per_second", number(link.bytes_per_second)},
                     {"latency_seconds", number(link.latency_seconds)},
                     {"data_right", link.data_right}});
  }
  return links;
}

Json launches_of(const Results& results) {
  Json launches = Json::array();
  for (const Launch& launch : results.launches) {
    launches.push_back({{"started", launch.started},
                        {"command_line", launch.command_line},
                        {"revision", launch.git_revision},
                        {"versions", pairs_as_object(launch.versions)},
                        {"settings", pairs_as_object(launch.settings)},
                        {"environment", pairs_as_object(launch.environment)},
                        {"ranks", ranks_of(launch.topology)},
                        {"ceilings", roofline_of(launch)},
                        {"links", links_of(launch.topology)}});
  }
  return launches;
}

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
      Json with_axes = axes_as_json(*group.key, group_axes);
      with_axes.update(row);
      rows.push_back(std::move(with_axes));
    }
  }
  return rows;
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

Json runs_of(const Results& results) {
  std::size_t done = 0;
  std::size_t verified = 0;
  std::size_t needless = 0;
  Json not_done = Json::array();
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const RecordedRun& run = results.runs[i];
    if (analysis::is_done(run)) ++done;
    if (run.status == RunStatus::verified) ++verified;
    if (analysis::is_needless(run)) ++needless;
    if (!analysis::is_done(run) && !analysis::is_needless(run))
      not_done.push_back({{"number", i}, {"label", run.label}});
  }
  return {{"planned", results.runs.size()},
          {"done", done},
          {"verified", verified},
          {"left_out", needless},
          {"not_done", not_done}};
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
                 datum("doubts", "", "what to read before trusting the numbers"),
                 datum("runs", "", "of the plan"),
                 datum("cases", "", "the rows of the CSV"),
                 datum("ranks", "", "the cases' phases, by rank"),
                 datum("finished_runs", "", "run by run"),
                 datum("fastest", "", "strategy by batch"),
                 datum("choices", "", "of `auto`"),
                 datum("choice_candidates", "", "of `auto`"),
                 datum("exchange", "", "beside its formula"),
                 datum("bubbles", "", "of pipelines"),
                 datum("bounds", "", "of speed-ups"),
                 datum("loss_budgets", "", "of cases"),
                 datum("claims", "", "of the articles"),
                 datum("stragglers", "", "among the ranks"),
                 datum("limits", "", "of phases"),
                 datum("launches", "", "starts of the program")}}};
const DeclaredTable declared_answers{
    {.command = "report",
     .json = "answers",
     .page = "report.md#answers",
     .columns = {columns::model, columns::gpus, columns::strategy, columns::precision, columns::gemm,
                 columns::collective, columns::nccl_settings, columns::scaling, columns::graph, columns::data,
                 datum("measure", "", "judged by `samples_per_second` or `time_to_quality`"),
                 columns::sentence, datum("loss", "", "what most of the loss goes to")}}};
const DeclaredTable declared_plan{
    {.command = "report",
     .json = "runs",
     .page = "report.md#provenance",
     .columns = {datum("planned", "", "runs of the plan"), datum("done", "", "finished"),
                 datum("verified", "", "read back and found whole"),
                 datum("left_out", "", "by `--target-ci`"), datum("not_done", "", "the others"),
                 datum("number", "", "place of the run in the plan"), columns::label}}};
const DeclaredTable declared_launches{
    {.command = "report",
     .json = "launches",
     .page = "report.md#provenance",
     .columns =
         joined({{columns::started, columns::command_line, columns::revision, columns::versions,
                  columns::settings, columns::environment, datum("ranks", "", "their devices"), columns::host,
                  columns::backend, columns::name, columns::uuid, columns::pci_address, columns::memory_bytes,
                  columns::numa_node, datum("ceilings", "", "the machine's best rates")},
                 roofline_columns(),
                 {datum("links", "", "as `topology` measures them"), columns::from, columns::to,
                  columns::kind, columns::peer_access, columns::bytes_per_second, columns::latency_seconds,
                  columns::data_right}})}};

}  // namespace

Json json_report(const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  return {
      {"format", "breakeven report"},
      {"version", report_version},
      {"file", results.path},
      {"machine", machine_name(results)},
      {"vocabulary", json_vocabulary()},
      {"price_an_hour", number(analysis.price_an_hour() > 0 ? analysis.price_an_hour() : not_measured)},
      {"answers", answers_of(analysis)},
      {"break_evens", render_json(tidy_break_evens(analysis))},
      {"doubts", warnings(analysis)},
      {"runs", runs_of(results)},
      {"cases", render_json(tidy_cases(analysis))},
      {"ranks", render_json(tidy_ranks(analysis))},
      {"finished_runs", render_json(tidy_runs(analysis))},
      {"fastest", rows_of_groups(analysis, fastest_with_keys)},
      {"choices",
       rows_of_groups(analysis,
                      [&](const analysis::Group& group) { return choices_table(analysis, group); })},
      {"choice_candidates",
       rows_of_groups(analysis,
                      [&](const analysis::Group& group) { return candidates_table(analysis, group); })},
      {"exchange",
       rows_of_groups(analysis,
                      [&](const analysis::Group& group) { return exchange_table(analysis, group); })},
      {"bubbles",
       rows_of_groups(analysis, [&](const analysis::Group& group) { return bubble_table(analysis, group); })},
      {"bounds", rows_of_groups(analysis, bounds_table)},
      {"loss_budgets", render_json(tidy_budgets(analysis))},
      {"claims", render_json(tidy_claims(analysis))},
      {"stragglers", rows_of_groups(analysis, stragglers_table)},
      {"limits", rows_of_groups(analysis, limits_table)},
      {"launches", launches_of(results)}};
}

}  // namespace breakeven
