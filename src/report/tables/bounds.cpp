// SPDX-License-Identifier: Apache-2.0
// Each speed-up beside what it could be at best.
#include <algorithm>
#include <cmath>

#include "src/analysis/speedup_bounds.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

Cell source_of(const analysis::SpeedupBounds& bounds) {
  if (std::isnan(bounds.serial_share)) return dash_cell();
  return bounds.serial_by_rows ? "rows" : "phases";
}

// A measured speed-up so far above a bound says that the bound's assumptions do not hold. Up to here it may
// be the noise of both measurements.
constexpr double refuted = 1.05;

Cell of_tightest_cell(double share) {
  return share > refuted ? Cell("does not hold", {}) : share_cell(share);
}

double tightest_of(const analysis::SpeedupBounds& bounds) {
  double tightest = bounds.ideal;
  for (const double bound : {bounds.amdahl, bounds.link}) {
    if (std::isfinite(bound)) tightest = std::min(tightest, bound);
  }
  return tightest;
}

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& line : group.lines) {
    const statistics::Interval& speedup = line.comparison.speedup.ratio;
    if (std::isnan(speedup.centre)) continue;
    const Case& what = line.measured->what;
    const analysis::SpeedupBounds& bounds = line.bounds;
    rows.push_back({batch_cell(what), strategy_of(what, group), ratio_cell(speedup), ratio_cell(bounds.ideal),
                    ratio_cell(bounds.amdahl), share_cell(bounds.serial_share), source_of(bounds),
                    ratio_cell(bounds.link), of_tightest_cell(speedup.centre / tightest_of(bounds))});
  }
  return rows;
}

}  // namespace

const TableSection bounds_section{
    .table = DeclaredTable(
        {.command = "report",
         .json = "bounds",
         .title = "Bounds: the measured speed-up beside the highest that each limit by itself allows",
         .page = "report.md#bounds",
         .columns = {columns::batch, columns::strategy, columns::speedup.headed("Measured"), columns::ideal,
                     columns::amdahl, columns::serial_share,
                     words("serial_from", "Found\nby", "rows: one GPU at fewer rows; or phases"),
                     columns::link,
                     number("of_tightest", "Of the\nlowest", "share", "measured / the lowest bound")}}),
    .after = "autotuning",
    .name = "bounds",
    .holds = "how fast at best",
    .rows = rows_of};

}  // namespace breakeven::report
