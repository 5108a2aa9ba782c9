// SPDX-License-Identifier: Apache-2.0
// How far each phase is from what this machine's roofline allows, and what limits it.
#include "src/report/sections/roofline.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

void add_row(const analysis::CaseSummary& summary, const analysis::Group& group, Phase phase,
             const analysis::Limit& limit, ReportTable& table) {
  const double measured = summary.phases.mean[index_of(phase)];
  table.rows.push_back({batch_cell(summary.what), strategy_of(summary.what, group), info_of(phase).label,
                        seconds_cell(measured), seconds_cell(limit.seconds), limit.what,
                        share_cell(limit.seconds / measured)});
}

const DeclaredTable declared_roofline{
    {.command = "report",
     .json = "roofline",
     .title = "Roofline: each phase against the shortest time that its bytes, its arithmetic or its chain of "
              "operations need at this machine's measured peak rates; mean over runs, steps and ranks",
     .page = "report.md#roofline",
     .columns = {columns::batch, columns::strategy, words("phase", "Phase", "of the step, or the step"),
                 columns::measured_seconds,
                 number("roofline_seconds", "Roofline", "s", "shortest that the machine allows"),
                 columns::limited_by, number("share", "Of the\nroofline", "share", "roofline / measured")}}};

}  // namespace

ReportTable roofline_table(const analysis::Group& group) {
  ReportTable table = declared_roofline.empty();
  for (const analysis::CaseResult& result : group.cases) {
    if (result.roofline.phases.empty()) continue;
    const analysis::CaseSummary& phases = *result.measured->phases;
    for (const analysis::PhaseShare& one : result.roofline.phases)
      add_row(phases, group, one.phase, one.limit, table);
    if (result.roofline.limit_seconds)
      add_row(phases, group, Phase::step, {*result.roofline.limit_seconds, "all of the above"}, table);
  }
  return table;
}

std::string roofline_in_words(const Launch& launch) {
  std::vector<const Roofline*> all;
  for (const Roofline& roofline : launch.roofline) all.push_back(&roofline);
  const Roofline roofline = analysis::worst_of(all);
  if (!std::isfinite(roofline.copy_bytes_per_second)) return "";
  std::string products;
  for (const PrecisionInfo& info : precisions) {
    const double rate = roofline.flops(info.precision);
    if (std::isfinite(rate)) products += fmt::format(", products in {} {}", info.name, format_flops(rate));
  }
  return fmt::format("{}copies {}{}, a launch {}, a graph node {}",
                     all.size() > 1 ? "of the slowest rank: " : "",
                     format_bandwidth(roofline.copy_bytes_per_second), products,
                     format_seconds(roofline.launch_seconds), format_seconds(roofline.node_seconds));
}

std::string copy_method_of(const Launch& launch) {
  if (!has_roofline(launch) || !launch.copy_method.empty()) return launch.copy_method;
  const auto is_gpu = [](const RankInfo& rank) { return rank.device.is_gpu(); };
  return std::ranges::any_of(launch.topology.ranks, is_gpu) ? "cudaMemcpyAsync" : "memcpy";
}

std::string roofline_caveat(const Results& results) {
  const auto is_driver_copy = [](const Launch& launch) {
    return copy_method_of(launch) == "cudaMemcpyAsync";
  };
  if (std::ranges::none_of(results.launches, is_driver_copy)) return "";
  return "The bandwidth is that of cudaMemcpyAsync, as older programs measured it. Kernels are faster, so "
         "the "
         "shares of phases that memory limits are too high.";
}

DeclaredColumns roofline_columns() {
  DeclaredColumns columns{datum("copy_bytes_per_second", "bytes/s", "copy kernel, read and written")};
  for (const PrecisionInfo& info : precisions)
    columns.push_back(datum(std::string(info.name) + "_flops_per_second", "1/s", "fastest large product"));
  columns.push_back(datum("launch_seconds", "s", "a tiny operation, launched by itself"));
  columns.push_back(datum("node_seconds", "s", "the same within a graph"));
  return columns;
}

nlohmann::ordered_json roofline_as_json(const Roofline& roofline) {
  nlohmann::ordered_json object{{"copy_bytes_per_second", number_or_null(roofline.copy_bytes_per_second)}};
  for (const PrecisionInfo& info : precisions)
    object[std::string(info.name) + "_flops_per_second"] = number_or_null(roofline.flops(info.precision));
  object["launch_seconds"] = number_or_null(roofline.launch_seconds);
  object["node_seconds"] = number_or_null(roofline.node_seconds);
  return object;
}

}  // namespace breakeven::report
