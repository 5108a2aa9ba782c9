// SPDX-License-Identifier: Apache-2.0
// How long did the runs train before they were measured, and were they steady then?
#include <fmt/format.h>

#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/table_section.h"

namespace breakeven::report {
namespace {

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::CaseSummary& timed = result.measured->timed();
    const analysis::Settling& settling = timed.settling;
    const std::size_t steady = timed.done.size() - settling.bursts - settling.still_drifting;
    rows.push_back({batch_cell(result.measured->what), strategy_of(result.measured->what, group),
                    seconds_cell(settling.seconds), fmt::format("{} of {}", steady, timed.done.size()),
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
                     words("steady", "Steady\nruns", "two successive windows agreed in step time and clock"),
                     columns::run_seconds, columns::steps_apart}}),
    .after = "memory",
    .name = "settling",
    .holds = "training before the measured steps",
    .rows = rows_of,
    .has_rows = has_cases};

}  // namespace breakeven::report
