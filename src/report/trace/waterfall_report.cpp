// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/waterfall_report.h"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/analysis/waterfall.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/trace/waterfall_rows.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

constexpr std::string_view trace_page = "trace.md#kernels";

const DeclaredTable declared_steps{
    {.command = "trace",
     .title = "Steps with and without recording",
     .page = trace_page,
     .columns = {
         number("rank", "Rank", "", "of MPI").elsewhere(),
         number("untraced_seconds", "Median step,\nnot recorded", "s", "as `run` measures it").elsewhere(),
         number("traced_seconds", "recorded", "s", "while kernels were recorded").elsewhere(),
         number("waterfall_seconds", "shown\nbelow", "s", "from its first node to the next step's")
             .elsewhere(),
         number("nodes", "Nodes", "", "of the step below").elsewhere(),
         number("idle_seconds", "No node\nat work", "s", "of the step below").elsewhere()}}};
const DeclaredTable declared_waterfall{
    {.command = "trace",
     .title = "Node by node, in µs: the median {} of rank {}",
     .page = trace_page,
     .columns = {number("start", "Start", "s", "since the step's first node began").elsewhere(),
                 number("end", "End", "s", "the same").elsewhere(),
                 number("time", "Time", "s", "of the node").elsewhere(),
                 number("gap", "Gap", "s", "before it, no node at work").elsewhere(),
                 number("adds", "Adds", "s", "while no earlier node was at work").elsewhere(),
                 number("stream", "Stream", "", "of CUDA").elsewhere(),
                 words("grid", "Grid", "blocks").right().elsewhere(),
                 number("block", "Block", "", "threads of a block").elsewhere(),
                 words("node", "Node", "kernel or copy").elsewhere()}}};
const DeclaredTable declared_sums{
    {.command = "trace",
     .title = "Sums by kind, in µs: the median {} of rank {}",
     .page = trace_page,
     .columns = {words("kind", "Node", "kernel without its tile").elsewhere(),
                 number("count", "Count", "", "nodes").elsewhere(),
                 number("time", "Time", "s", "their sum").elsewhere(),
                 number("adds", "Adds", "s", "their sum").elsewhere(),
                 number("share", "Of the\nstep", "share", "what they add").elsewhere()}}};
const DeclaredTable declared_whole{
    {.command = "trace",
     .page = trace_page,
     .format = "breakeven kernel trace",
     .version = 1,
     .columns =
         joined({{columns::format.elsewhere(), columns::version.elsewhere()},
                 all_elsewhere(launch_columns()),
                 {words("label", "", "of the case").elsewhere(), datum("ranks", "", "about each").elsewhere(),
                  datum("sums", "", "of the median step").elsewhere(),
                  datum("nodes", "", "all that were recorded").elsewhere()}})}};

std::string microseconds(std::int64_t ns) { return fmt::format("{:.2f}", 1e-3 * static_cast<double>(ns)); }

std::string name_of_step(const analysis::NodeGroup& group) {
  return group.steps == 1 ? "step" : fmt::format("launch of {} steps", group.steps);
}

std::int64_t idle_ns(const analysis::Waterfall& fall) {
  std::int64_t idle = fall.idle_ns;
  for (const analysis::WaterfallRow& row : fall.rows) idle += row.gap_ns;
  return idle;
}

std::optional<analysis::Waterfall> median_waterfall(const analysis::NodeSteps& steps) {
  const auto group = analysis::median_group(steps);
  return group ? std::optional(analysis::waterfall_of(steps, *group)) : std::nullopt;
}

ReportTable titled(const DeclaredTable& declared, std::size_t rank, const std::string& step) {
  ReportTable table = declared.empty();
  table.title = fmt::format(fmt::runtime(table.title), step, rank);
  return table;
}

ReportTable steps_table(const KernelTrace& trace) {
  ReportTable table = declared_steps.empty();
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const TracedRank& traced = trace.ranks[rank];
    const auto fall = median_waterfall(trace.steps[rank]);
    std::vector<Cell> row{std::to_string(rank), format_seconds(traced.untraced_seconds),
                          format_seconds(traced.traced_seconds)};
    if (fall) {
      row.insert(row.end(), {format_seconds(1e-9 * static_cast<double>(fall->length_ns)),
                             std::to_string(fall->rows.size()),
                             format_seconds(1e-9 * static_cast<double>(idle_ns(*fall)))});
    } else {
      row.insert(row.end(), 3, std::string(dash));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_waterfall(const analysis::NodeSteps& steps, std::size_t rank, Document& document) {
  const auto fall = median_waterfall(steps);
  if (!fall) return;
  const std::string step = name_of_step(steps.groups[fall->group]);
  ReportTable table = titled(declared_waterfall, rank, step);
  for (const analysis::WaterfallRow& row : fall->rows) {
    const NodeRecord& node = steps.nodes[row.node];
    const bool is_kernel = node.kind == NodeKind::kernel;
    table.rows.push_back(
        {microseconds(row.start_ns), microseconds(row.end_ns), microseconds(row.end_ns - row.start_ns),
         microseconds(row.gap_ns), microseconds(row.adds_ns), std::to_string(node.stream),
         is_kernel ? size_in_words(node.grid) : std::string(dash),
         is_kernel ? std::to_string(node.block[0] * node.block[1] * node.block[2]) : std::string(dash),
         is_kernel ? node.label : node.label + " " + format_bytes(static_cast<double>(node.bytes))});
  }
  document.table(std::move(table));
  ReportTable sums = titled(declared_sums, rank, step);
  for (const analysis::NodeSum& sum : analysis::sums_by_kind(steps, *fall))
    sums.rows.push_back(
        {sum.kind, std::to_string(sum.count), microseconds(sum.total_ns), microseconds(sum.adds_ns),
         format_percent(static_cast<double>(sum.adds_ns) / static_cast<double>(fall->length_ns))});
  document.table(std::move(sums));
}

Document document(const KernelTrace& trace) {
  Document document;
  document.heading(1, fmt::format("Kernels of {} on {}", trace.label, machine_name(trace.launch.topology)));
  document.paragraph(
      "A step is as long as from its first node to the next step's first node. A node adds the time while no "
      "node of "
      "this rank that began earlier was at work. Compare the steps with and without recording before you "
      "trust a gap.");
  if (const std::string problem = problem_of(trace); !problem.empty()) document.paragraph(problem);
  document.table(steps_table(trace));
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
    add_waterfall(trace.steps[rank], rank, document);
  add_launch_items(trace.launch, document);
  return document;
}

nlohmann::ordered_json json(const KernelTrace& trace) {
  nlohmann::ordered_json report = launch_as_json(trace.launch);
  report["label"] = trace.label;
  report["ranks"] = render_json(rank_rows(trace));
  report["sums"] = render_json(sum_rows(trace));
  report["nodes"] = render_json(node_rows(trace));
  return report;
}

}  // namespace

KernelTrace make_kernel_trace(Launch launch, std::string label, std::vector<TracedRank> ranks) {
  KernelTrace trace{std::move(launch), std::move(label), std::move(ranks), {}};
  for (const TracedRank& rank : trace.ranks)
    trace.steps.push_back(
        analysis::assign_steps(rank.recording.nodes, rank.record.steps, rank.steps_a_launch));
  return trace;
}

std::string problem_of(const KernelTrace& trace) {
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    if (!trace.steps[rank].problem.empty())
      return fmt::format("The nodes of rank {} cannot be assigned to steps: {}.", rank,
                         trace.steps[rank].problem);
    if (const std::uint64_t dropped = trace.ranks[rank].recording.dropped; dropped > 0)
      return fmt::format("The profiler lost {} records of rank {}. Record fewer --steps.", dropped, rank);
  }
  return "";
}

std::string waterfall_report(const KernelTrace& trace, ReportFormat format) {
  return print({.whole = declared_whole,
                .document = [&] { return document(trace); },
                .rows = [&] { return node_rows(trace); },
                .json = [&] { return json(trace); }},
               format);
}

}  // namespace breakeven::report
