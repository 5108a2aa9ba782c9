// SPDX-License-Identifier: Apache-2.0
// Each strategy's exchange against what its messages should take, and a pipeline's bubble against its
// formula.
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/case_exchange.h"
#include "src/core/text/lists.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

std::string calls_in_words(double calls) {
  return calls == std::floor(calls) ? fmt::format("{:.0f}", calls) : fmt::format("{:.3g}", calls);
}

void add_exchange(const analysis::CaseSummary& phases, const analysis::Group& group,
                  const analysis::FileAnalysis& analysis, ReportTable& table) {
  const std::optional<analysis::CaseExchange>& exchange = analysis.result_of(phases).exchange;
  if (!exchange || std::isnan(exchange->formula.seconds())) return;
  const MeanTraffic& traffic = exchange->traffic;
  table.rows.push_back({batch_cell(phases.what), strategy_of(phases.what, group),
                        Cell(calls_in_words(traffic.calls), traffic.calls), bytes_cell(traffic.bytes),
                        seconds_cell(exchange->formula.latency), seconds_cell(exchange->formula.bandwidth),
                        seconds_cell(exchange->formula.seconds()), seconds_cell(exchange->measured),
                        ratio_cell(exchange->ratio()),
                        join_list(analysis::known_differences(phases, *exchange, analysis.results()))});
}

bool is_exchange_timed(const analysis::MeasuredCase& measured) { return analysis::is_done(measured.phases); }

}  // namespace

const DeclaredTable declared_exchange{
    {.command = "report",
     .json = "exchange",
     .title =
         "Exchange against its formula: a step's messages by the launch's own measurement of such calls; "
         "mean over runs, steps and ranks",
     .page = "report.md#communication",
     .columns = {columns::batch, columns::strategy, number("messages", "Messages", "", "of a step"),
                 number("bytes", "Bytes", "bytes", "in them"),
                 number("latency_seconds", "Latency", "s", "calls, each as long as the smallest"),
                 number("bandwidth_seconds", "Bandwidth", "s", "of the bytes"),
                 number("formula_seconds", "By\nformula", "s", "latency and bandwidth together"),
                 number("measured_seconds", "Measured", "s", "`exchange` and `broadcast`"),
                 number("ratio", "Ratio", "", "measured / by formula"),
                 words("difference", "Known causes of the difference", "known causes, in words")}}};

ReportTable exchange_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_exchange.empty();
  for (const analysis::CaseResult& line : group.lines) {
    if (is_exchange_timed(*line.measured)) add_exchange(*line.measured->phases, group, analysis, table);
  }
  return table;
}

const DeclaredTable declared_bubbles{
    {.command = "report",
     .json = "bubbles",
     .title = "The pipeline's bubble: stages idle by formula, and in exchange and wait as measured",
     .page = "report.md#communication",
     .columns = {
         columns::batch, columns::strategy, number("stages", "Stages", "", "parts of the model, one a rank"),
         number("micro_batches", "Micro-batches", "", "parts of the batch"), columns::bubble,
         number("idle_by_stages", "With uneven\nstages", "share", "with each stage's own busy time"),
         number("idle_by_stages_and_messages", "And\nmessages", "share", "with the messages' time too"),
         number("idle", "Measured,\nmean", "share", "(`exchange` + `wait`) / step"),
         number("idle_least", "Busiest\nrank", "share", "least idle"),
         number("idle_most", "Idlest\nrank", "share", "most idle")}}};

ReportTable bubble_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_bubbles.empty();
  for (const analysis::CaseResult& line : group.lines) {
    if (!is_exchange_timed(*line.measured)) continue;
    const analysis::CaseSummary& phases = *line.measured->phases;
    const std::optional<analysis::PipelineIdle>& known = analysis.result_of(phases).pipeline;
    if (!known) continue;
    const auto& [pipeline, idle, expected] = *known;
    table.rows.push_back({batch_cell(phases.what), strategy_of(phases.what, group),
                          count_cell(pipeline.stages), count_cell(pipeline.micro_batches),
                          share_cell(pipeline.bubble()), share_cell(expected.by_stages),
                          share_cell(expected.by_stages_and_messages), share_cell(idle.mean),
                          share_cell(idle.least), share_cell(idle.most)});
  }
  return table;
}

}  // namespace breakeven::report
