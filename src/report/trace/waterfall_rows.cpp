// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/waterfall_rows.h"

#include <optional>

#include <fmt/format.h>

#include "src/analysis/waterfall.h"
#include "src/report/format/columns.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

constexpr std::string_view row_page = "trace.md#kernels";

double seconds(std::int64_t ns) { return 1e-9 * static_cast<double>(ns); }

struct RankRow {
  std::size_t rank;
  const RankInfo& info;
  const TracedRank& traced;
  const analysis::NodeSteps& steps;
};

struct SumRow {
  std::size_t rank;
  analysis::NodeSum sum;
};

struct NodeRow {
  std::size_t rank = 0;
  const NodeRecord* node = nullptr;
  const analysis::NodeGroup* group = nullptr;  // null: of no step
  bool in_median_step = false;
  double gap_seconds = not_measured;
  double adds_seconds = not_measured;
};

DeclaredColumn column(std::string_view key, std::string_view unit, std::string_view meaning) {
  return datum(key, unit, meaning).elsewhere();
}

const TidyTable<RankRow> ranks_table(
    {.command = "trace", .json = "ranks", .page = row_page},
    {{column("rank", "", "of MPI, from 0"), [](auto& row) { return row.rank; }},
     {column("device", "", "its name"), [](auto& row) { return row.info.device.name; }},
     {column("host", "", "its name"), [](auto& row) { return row.info.host; }},
     {column("untraced_seconds", "s", "median step as `run` measures it"),
      [](auto& row) { return row.traced.untraced_seconds; }},
     {column("traced_seconds", "s", "median step while kernels were recorded"),
      [](auto& row) { return row.traced.traced_seconds; }},
     {column("steps", "steps", "recorded"), [](auto& row) { return row.traced.record.steps; }},
     {column("steps_a_launch", "steps", "that one launch makes"),
      [](auto& row) { return row.traced.steps_a_launch; }},
     {column("dropped", "", "records that the profiler lost"),
      [](auto& row) { return row.traced.recording.dropped; }},
     {column("uncertainty_seconds", "s", "of the conversion to the common clock"),
      [](auto& row) { return row.traced.recording.uncertainty_seconds; }},
     {column("problem", "", "why nodes belong to no step; empty: none"),
      [](auto& row) { return row.steps.problem; }}});

const TidyTable<SumRow> sums_table(
    {.command = "trace", .json = "sums", .page = row_page},
    {{column("rank", "", "of MPI, from 0"), [](auto& row) { return row.rank; }},
     {column("kind", "", "kernel without its tile"), [](auto& row) { return row.sum.kind; }},
     {column("count", "", "nodes"), [](auto& row) { return row.sum.count; }},
     {column("total_seconds", "s", "their sum"), [](auto& row) { return seconds(row.sum.total_ns); }},
     {column("adds_seconds", "s", "while no earlier node was at work"),
      [](auto& row) { return seconds(row.sum.adds_ns); }}});

const TidyTable<NodeRow> nodes_table(
    {.command = "trace", .json = "nodes", .page = row_page},
    {{column("rank", "", "of MPI, from 0"), [](auto& row) { return row.rank; }},
     {column("step", "", "its place, or of a launch the first; null: none").typed(JsonType::number),
      [](auto& row) -> double { return row.group != nullptr ? row.group->first_step : not_measured; }},
     {column("in_median_step", "", "whether text shows it"), [](auto& row) { return row.in_median_step; }},
     {column("kind", "", "kernel, copy or set"), [](auto& row) { return name_of(row.node->kind); }},
     {column("label", "", "short name"), [](auto& row) { return row.node->label; }},
     {column("name", "", "whole name"), [](auto& row) { return row.node->name; }},
     {column("start_seconds", "s", "since the launch's start by rank 0"),
      [](auto& row) { return seconds(row.node->start_ns); }},
     {column("end_seconds", "s", "the same"), [](auto& row) { return seconds(row.node->end_ns); }},
     {column("gap_seconds", "s", "before it, no node at work"), [](auto& row) { return row.gap_seconds; }},
     {column("adds_seconds", "s", "while no earlier node was at work"),
      [](auto& row) { return row.adds_seconds; }},
     {column("stream", "", "of CUDA"), [](auto& row) { return row.node->stream; }},
     {column("graph", "", "0: none"), [](auto& row) { return row.node->graph; }},
     {column("graph_node", "", "of the graph"), [](auto& row) { return row.node->graph_node; }},
     {column("launch", "", "number of the call"), [](auto& row) { return row.node->launch; }},
     {column("grid", "", "blocks"), [](auto& row) { return size_in_words(row.node->grid); }},
     {column("block", "", "threads"), [](auto& row) { return size_in_words(row.node->block); }},
     {column("bytes", "bytes", "of a copy or memset"), [](auto& row) { return row.node->bytes; }}});

void add_nodes(const analysis::NodeSteps& steps, std::size_t rank, ReportTable& table) {
  std::vector<NodeRow> rows;
  for (const NodeRecord& node : steps.nodes) rows.push_back({.rank = rank, .node = &node});
  const auto median = analysis::median_group(steps);
  for (std::size_t group = 0; group < steps.groups.size(); ++group) {
    for (const analysis::WaterfallRow& part : analysis::waterfall_of(steps, group).rows) {
      NodeRow& row = rows[part.node];
      row.group = &steps.groups[group];
      row.in_median_step = group == median;
      row.gap_seconds = seconds(part.gap_ns);
      row.adds_seconds = seconds(part.adds_ns);
    }
  }
  for (const NodeRow& row : rows) nodes_table.add(row, table);
}

}  // namespace

std::string size_in_words(const std::array<std::uint32_t, 3>& size) {
  return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

DeclaredColumns all_elsewhere(DeclaredColumns columns) {
  for (DeclaredColumn& column : columns) column.is_elsewhere = true;
  return columns;
}

ReportTable rank_rows(const KernelTrace& trace) {
  ReportTable table = ranks_table.empty();
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
    ranks_table.add({rank, trace.launch.topology.ranks[rank], trace.ranks[rank], trace.steps[rank]}, table);
  return table;
}

ReportTable sum_rows(const KernelTrace& trace) {
  ReportTable table = sums_table.empty();
  for (std::size_t rank = 0; rank < trace.steps.size(); ++rank) {
    const analysis::NodeSteps& steps = trace.steps[rank];
    const auto median = analysis::median_group(steps);
    if (!median) continue;
    for (const analysis::NodeSum& sum : analysis::sums_by_kind(steps, analysis::waterfall_of(steps, *median)))
      sums_table.add({rank, sum}, table);
  }
  return table;
}

ReportTable node_rows(const KernelTrace& trace) {
  ReportTable table = nodes_table.empty();
  for (std::size_t rank = 0; rank < trace.steps.size(); ++rank) add_nodes(trace.steps[rank], rank, table);
  return table;
}

}  // namespace breakeven::report
