// SPDX-License-Identifier: Apache-2.0
// How long does a step take?
#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::CaseSummary& timed = measured->timed();
    rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                    format_seconds(timed.step.seconds()), format_seconds(timed.step.median),
                    format_seconds(timed.step.p95), format_seconds(timed.step.p99),
                    format_rate(timed.step.samples_per_second), fmt::format("{}", timed.done.size()),
                    format_count(timed.steps), timed.what.timing.word()});
  }
  return rows;
}

}  // namespace

const TableSection steps_section{
    .table = DeclaredTable(
        {.command = "report",
         .title =
             "Time of a step: the slowest rank's, over all steps of all runs; arithmetic mean with its 95 % "
             "interval{}",
         .page = "report.md#speed",
         .columns = {columns::batch, columns::strategy, columns::step_seconds, columns::step_seconds_median,
                     columns::step_seconds_p95, columns::step_seconds_p99, columns::samples_per_second,
                     columns::runs_done, columns::steps, columns::timing}}),
    .after = "bounds",
    .name = "steps",
    .holds = "the time of a step",
    .rows = rows_of};

}  // namespace breakeven::report
