// SPDX-License-Identifier: Apache-2.0
// How far each phase is from its own limit on this machine, and what sets that limit.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/phase_names.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

std::string title_of_phase(Phase phase) {
  for (const PhaseTitle& title : phase_titles) {
    if (title.phase == phase) return std::string(title.title);
  }
  return std::string(name_of(phase));
}

void add_row(const analysis::CaseSummary& summary, const analysis::Group& group, const std::string& phase,
             double measured, const analysis::Limit& limit, ReportTable& table) {
  const double share = limit.seconds / measured;
  table.rows.push_back({Cell(fmt::format("{}", summary.what.batch), std::int64_t{summary.what.batch}),
                        strategy_of(summary.what, group), phase, Cell(format_seconds(measured), measured),
                        Cell(format_seconds(limit.seconds), limit.seconds), std::string(limit.what),
                        Cell(format_percent(share), share)});
}

void add_case(const analysis::CaseResult& result, const analysis::Group& group, ReportTable& table) {
  if (result.roofline.phases.empty()) return;
  const analysis::CaseSummary& phases = *result.measured->phases;
  for (const analysis::PhaseShare& one : result.roofline.phases)
    add_row(phases, group, title_of_phase(one.phase), one.seconds, one.limit, table);
  if (result.roofline.limit_seconds)
    add_row(phases, group, "Step", phases.phases.mean[index_of(Phase::step)],
            {*result.roofline.limit_seconds, "all of the above"}, table);
}

std::string rates_in_words(const Roofline& roofline) {
  std::string text;
  for (const PrecisionInfo& info : precisions) {
    const double rate = roofline.flops(info.precision);
    if (std::isfinite(rate)) text += fmt::format(", products in {} {}", info.name, format_flops(rate));
  }
  return text;
}

}  // namespace

const DeclaredTable declared_limits{
    {.command = "report",
     .json = "limits",
     .title = "Limits: each phase beside the shortest time that its bytes, its arithmetic or its chain of "
              "operations allow at this machine's ceilings; mean over runs, steps and ranks",
     .page = "report.md#roofline",
     .columns = {columns::batch, columns::strategy, words("phase", "Phase", "of the step, or the step"),
                 columns::measured_seconds, columns::limit_seconds, columns::limited_by,
                 number("share", "Of the\nlimit", "share", "limit / measured")}}};

ReportTable limits_table(const analysis::Group& group) {
  ReportTable table = declared_limits.empty();
  for (const analysis::CaseResult& result : group.cases) add_case(result, group, table);
  return table;
}

std::string roofline_in_words(const Launch& launch) {
  std::vector<const Roofline*> all;
  for (const Roofline& roofline : launch.roofline) all.push_back(&roofline);
  const Roofline roofline = analysis::worst_of(all);
  if (!std::isfinite(roofline.copy_bytes_per_second)) return "";
  return fmt::format("{}copies {}{}, a launch {}, a graph node {}",
                     all.size() > 1 ? "of the slowest rank: " : "",
                     format_bandwidth(roofline.copy_bytes_per_second), rates_in_words(roofline),
                     format_seconds(roofline.launch_seconds), format_seconds(roofline.node_seconds));
}

}  // namespace breakeven
