// SPDX-License-Identifier: Apache-2.0
// Were the runs steady while they were measured, and how many independent steps are their steps worth?
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
    const analysis::StepTimes& step = timed.step;
    rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                    count_of(step.late_warmup_runs, step.judged_runs),
                    count_of(step.not_steady_runs, step.judged_runs), format_count(step.set_aside_steps),
                    format_seconds(step.whole_mean_seconds), format_significant(step.effective_steps, 3),
                    format_count(timed.steps), scope_of(step.unit, step.interval.n)});
  }
  return rows;
}

}  // namespace

const TableSection steadiness_section{
    .table = DeclaredTable(
        {.command = "report",
         .title =
             "Within the measured steps: are they steady, and how many independent steps are they worth?",
         .page = "report.md#within-the-runs",
         .columns = {columns::batch, columns::strategy, columns::runs_with_late_warmup,
                     columns::runs_not_steady, columns::steps_set_aside, columns::step_seconds_of_all_steps,
                     columns::effective_steps, columns::steps, columns::interval_covers}}),
    .after = "settling",
    .name = "steadiness",
    .holds = "warm-up, drift, independent steps",
    .rows = rows_of};

}  // namespace breakeven::report
