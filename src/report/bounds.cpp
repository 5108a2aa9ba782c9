// SPDX-License-Identifier: Apache-2.0
// Each speed-up beside what it could be at best.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/speedup_bounds.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

Cell source_of(const analysis::SpeedupBounds& bounds) {
  if (std::isnan(bounds.serial_share)) return {std::string(dash), {}};
  return bounds.serial_by_rows ? "rows" : "phases";
}

double tightest_of(const analysis::SpeedupBounds& bounds) {
  double tightest = bounds.ideal;
  for (const double bound : {bounds.amdahl, bounds.link}) {
    if (std::isfinite(bound)) tightest = std::min(tightest, bound);
  }
  return tightest;
}

Cell ratio_cell(double ratio) { return {format_ratio(ratio), ratio}; }

}  // namespace

const DeclaredTable declared_bounds{
    {.command = "report",
     .json = "bounds",
     .title = "Bounds: the measured speed-up beside the highest that each limit by itself allows",
     .page = "report.md#bounds",
     .columns = {columns::batch, columns::strategy, columns::speedup.headed("Measured"), columns::ideal,
                 columns::amdahl, columns::serial_share,
                 words("serial_from", "Found\nby", "rows: one GPU at fewer rows; or phases"), columns::link,
                 number("of_tightest", "Of the\nlowest", "share", "measured / the lowest bound")}}};

ReportTable bounds_table(const analysis::Group& group) {
  ReportTable table = declared_bounds.empty();
  for (const analysis::CaseResult& line : group.lines) {
    const Interval& speedup = line.comparison.speedup.ratio;
    if (std::isnan(speedup.centre)) continue;
    const Case& what = line.measured->what;
    const analysis::SpeedupBounds& bounds = line.bounds;
    const double share = speedup.centre / tightest_of(bounds);
    table.rows.push_back({Cell(fmt::format("{}", what.batch), std::int64_t{what.batch}),
                          strategy_of(what, group), Cell(format_ratio(speedup), speedup.centre),
                          ratio_cell(bounds.ideal), ratio_cell(bounds.amdahl),
                          Cell(format_percent(bounds.serial_share), bounds.serial_share), source_of(bounds),
                          ratio_cell(bounds.link), Cell(format_percent(share), share)});
  }
  return table;
}

void add_bounds(const analysis::SummaryResult& result, TidyRow& row) {
  const analysis::SpeedupBounds bounds =
      result.speaks_for == nullptr ? analysis::SpeedupBounds{} : result.speaks_for->bounds;
  row.add("ideal_speedup", bounds.ideal)
      .add("amdahl_speedup", bounds.amdahl)
      .add("serial_share", bounds.serial_share)
      .add("link_speedup", bounds.link);
}

}  // namespace breakeven
