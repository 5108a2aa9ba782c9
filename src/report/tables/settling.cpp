// SPDX-License-Identifier: Apache-2.0
// How long did the runs train before they were measured, and did they settle?
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::CaseSummary& timed = result.measured->timed();
    const analysis::Settling& settling = timed.settling;
    const std::size_t runs = timed.done.size();
    rows.push_back({batch_cell(result.measured->what), strategy_of(result.measured->what, group),
                    seconds_cell(settling.seconds), count_of(settling.settled, runs),
                    count_of(settling.still_drifting, runs),
                    count_of(timed.step.not_steady_runs, timed.step.judged_runs),
                    seconds_cell(settling.measured_seconds), format_significant(settling.steps_apart, 3)});
  }
  return rows;
}

}  // namespace

const TableSection settling_section{
    .table = DeclaredTable(
        {.command = "report",
         .title = "Settling: training before the measured steps, until step time and clock are steady",
         .page = "report.md#settling",
         .columns = {columns::batch, columns::strategy, columns::settle_seconds,
                     words("settled", "Settled\nruns",
                           "step time and clock were steady before the measured steps"),
                     words("drifting", "Still\ndrifting", "when `--settle` was over"),
                     columns::runs_not_steady, columns::run_seconds, columns::steps_apart}}),
    .after = "memory",
    .name = "settling",
    .holds = "training before the measured steps",
    .rows = rows_of};

}  // namespace breakeven::report
