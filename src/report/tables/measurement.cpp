// SPDX-License-Identifier: Apache-2.0
// How well was it measured?
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

// Outliers and clocks are those of the timed runs.
std::vector<Cell> quality_row(const analysis::MeasuredCase& measured, const analysis::Group& group) {
  const analysis::CaseSummary& timed = measured.timed();
  const analysis::CaseSummary* const phases = measured.phases;
  const analysis::Steadiness& steadiness = timed.steadiness;
  const std::optional<analysis::OutlierRuns>& outliers = steadiness.outlier_runs;
  return {batch_cell(measured.what),
          strategy_of(measured.what, group),
          format_percent(measured.timing_overhead()),
          format_seconds(analysis::is_done(phases) ? phases->phases.mean[index_of(Phase::overhead)]
                                                   : not_measured),
          format_seconds(steadiness.launch_seconds),
          std::isfinite(steadiness.device_over_host) ? fmt::format("{:.4f}", steadiness.device_over_host)
                                                     : std::string(dash),
          outliers ? fmt::format("{} of {}", outliers->count, timed.done.size()) : std::string(dash),
          outliers ? fmt::format("{}", outliers->on_all_ranks) : std::string(dash),
          format_percent(steadiness.slow_all_ranks_share),
          format_percent(steadiness.slow_some_ranks_share)};
}

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& result : group.cases) rows.push_back(quality_row(*result.measured, group));
  return rows;
}

}  // namespace

const TableSection measurement_section{
    .table = DeclaredTable(
        {.command = "report",
         .title = "Quality of measurement",
         .page = "report.md#quality-of-measurement",
         .columns = {columns::batch, columns::strategy, columns::timing_overhead, columns::overhead_seconds,
                     columns::launch_seconds, columns::device_over_host, columns::outlier_runs,
                     columns::outlier_runs_all_ranks, columns::slow_steps_all_ranks_share,
                     columns::slow_steps_some_ranks_share}}),
    .after = "steadiness",
    .name = "measurement",
    .holds = "timing overhead, clocks, outliers",
    .rows = rows_of};

}  // namespace breakeven::report
