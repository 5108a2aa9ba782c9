// SPDX-License-Identifier: Apache-2.0
// What does a multi-GPU strategy cost on one GPU?
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

statistics::Interval inverse(const statistics::Interval& ratio) {
  return {.centre = 1 / ratio.centre, .low = 1 / ratio.high, .high = 1 / ratio.low, .n = ratio.n};
}

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& line : group.on_one_gpu) {
    const analysis::Comparison& comparison = line.comparison;
    if (comparison.timed == nullptr || comparison.base_timed == nullptr) continue;
    const double single = samples_a_step(comparison.base_timed->what) / comparison.base_samples_per_second;
    const double strategy = samples_a_step(comparison.timed->what) / comparison.samples_per_second;
    rows.push_back({batch_cell(line.measured->what), strategy_of(line.measured->what, group),
                    format_seconds(single), format_seconds(strategy),
                    format_ratio(inverse(comparison.speedup.ratio)), format_seconds(strategy - single)});
  }
  return rows;
}

}  // namespace

const TableSection strategy_overhead_section{
    .table =
        DeclaredTable({.command = "report",
                       .title = "Strategy overhead: a multi-GPU strategy on one GPU against the plain step",
                       .page = "report.md#speed",
                       .columns = {columns::batch, columns::strategy,
                                   columns::base_step_seconds.meant("geometric mean over shared blocks"),
                                   columns::step_seconds.headed("Strategy, a step")
                                       .meant("geometric mean over shared blocks")
                                       .right(),
                                   words("times_as_long", "Times as long", "their ratio"),
                                   number("seconds_more", "More a step", "s", "their difference")}}),
    .after = "steps",
    .name = "overhead",
    .holds = "strategy overhead: a multi-GPU strategy on one GPU",
    .rows = rows_of};

}  // namespace breakeven::report
