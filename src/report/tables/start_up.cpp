// SPDX-License-Identifier: Apache-2.0
// What did the start take, and after how many steps are more GPUs worth their longer start?
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/readings.h"
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

// Training S samples takes F + S / rate; the two lines cross at S, which is S / batch steps.
std::string earned_back(const analysis::CaseResult& line, const Results& results) {
  const analysis::Comparison& comparison = line.comparison;
  const bool pays = line.measured->what.gpus > 1 && comparison.decision.verdict == statistics::Payoff::pays;
  if (!pays) return std::string(dash);
  const analysis::CaseSummary& many = *comparison.timed;
  const analysis::CaseSummary& one = *comparison.base_timed;
  const double extra_seconds =
      analysis::start_up_seconds(many, results) - analysis::start_up_seconds(one, results);
  const double saved_a_sample = 1 / one.step.samples_per_second - 1 / many.step.samples_per_second;
  const double steps = extra_seconds / saved_a_sample / samples_a_step(many.what);
  if (!std::isfinite(steps)) return std::string(dash);
  return steps <= 0 ? "at once" : format_significant(std::ceil(steps), 3) + " steps";
}

TableRows rows_of(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  TableRows rows;
  const Results& results = analysis.results();
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::Readings& readings = measured->timed().readings;
    rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                    format_seconds(analysis::connect_seconds(measured->timed(), results)),
                    format_seconds(readings.setup_seconds), format_seconds(readings.first_step_seconds),
                    earned_back(result, results)});
  }
  return rows;
}

}  // namespace

const TableSection start_up_section{
    .table =
        DeclaredTable({.command = "report",
                       .title = "Start-up: before the measured steps, in none of the figures above",
                       .page = "report.md#quality-of-measurement",
                       .columns = {columns::batch, columns::strategy,
                                   number("connecting", "Connecting", "s", "of the transport, once a launch"),
                                   columns::setup_seconds, columns::first_step_seconds,
                                   number("earned_back", "Earned back after", "steps",
                                          "until the faster steps make up for the longer start")}}),
    .after = "measurement",
    .name = "start-up",
    .holds = "set-up and first step",
    .rows = rows_of};

}  // namespace breakeven::report
