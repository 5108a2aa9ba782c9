// SPDX-License-Identifier: Apache-2.0
// The tables of a topology: ranks, and one matrix for each property of the links.
#include "src/bench/topology/topology_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::datum;
using report::number;
using report::words;

std::string text_or_dash(const std::string& text) { return text.empty() ? std::string(report::dash) : text; }

const report::DeclaredTable declared_ranks{
    {.command = "topology",
     .json = "ranks",
     .title = "Ranks",
     .page = "topology.md",
     .columns = {columns::rank, columns::host, words("device", "Device", "name of GPU or processor"),
                 columns::uuid, columns::pci_address, columns::multiprocessors, columns::memory_bytes,
                 columns::numa_node}}};

report::ReportTable rank_table(const Topology& topology) {
  report::ReportTable table = declared_ranks.empty();
  for (std::size_t rank = 0; rank < topology.ranks.size(); ++rank) {
    const DeviceInfo& device = topology.ranks[rank].device;
    const auto memory = static_cast<std::int64_t>(device.memory_bytes);
    table.rows.push_back(
        {report::count_cell(static_cast<int>(rank)), topology.ranks[rank].host, device.name,
         report::Cell(text_or_dash(device.uuid), device.uuid),
         report::Cell(text_or_dash(device.pci_address), device.pci_address),
         report::count_cell(device.multiprocessors),
         report::Cell(report::format_bytes(static_cast<double>(device.memory_bytes)), memory),
         device.numa_node < 0 ? report::dash_cell() : report::count_cell(device.numa_node)});
  }
  return table;
}

report::DeclaredColumns matrix_columns(std::string_view unit, std::string_view meaning) {
  return {columns::from.headed("from \\ to"), number("to_rank", "N", unit, meaning)};
}
const report::DeclaredTable declared_kinds{
    {.command = "topology",
     .title = "Links: kind, and whether the GPUs can access each other's memory",
     .page = "topology.md",
     .columns = matrix_columns("", "kind of the link to that rank; peer: the GPU reaches its memory")}};
const report::DeclaredTable declared_bandwidths{{.command = "topology",
                                                 .title = "Bandwidth over {} in GB/s (1e9), one way",
                                                 .page = "topology.md",
                                                 .columns = matrix_columns("GB/s", "to that rank")}};
const report::DeclaredTable declared_latencies{
    {.command = "topology",
     .title = "Latency over {} in µs, half a round trip of one float",
     .page = "topology.md",
     .columns = matrix_columns("µs", "to that rank")}};

// Rows send, columns receive.
report::ReportTable matrix(const report::DeclaredTable& declared, std::string_view transport,
                           const Topology& topology, std::string (*show)(const Link&)) {
  const std::size_t ranks = topology.ranks.size();
  report::ReportTable table = declared.empty();
  table.title = fmt::format(fmt::runtime(table.title), transport);
  table.columns.pop_back();  // stands for those of the ranks
  for (std::size_t to = 0; to < ranks; ++to)
    table.columns.push_back({std::to_string(to), std::to_string(to)});
  for (std::size_t from = 0; from < ranks; ++from) {
    std::vector<report::Cell> row{report::count_cell(static_cast<int>(from))};
    for (std::size_t to = 0; to < ranks; ++to) row.emplace_back(show(topology.links[from * ranks + to]));
    table.rows.push_back(row);
  }
  return table;
}

std::string scaled(double value, double unit) {
  return std::isfinite(value) ? report::format_significant(value / unit, 3) : std::string(report::dash);
}

std::string show_kind(const Link& link) { return link.kind + (link.peer_access ? " peer" : ""); }
std::string show_bandwidth(const Link& link) { return scaled(link.bytes_per_second, 1e9); }
std::string show_latency(const Link& link) { return scaled(link.latency_seconds, 1e-6); }

// Tidy: one row for each directed pair of different ranks, in basic units.
const report::DeclaredTable declared_links{
    {.command = "topology",
     .json = "links",
     .page = "topology.md",
     .columns = {columns::from, columns::to, words("from_device", "", "UUID of the sender, or its host"),
                 words("to_device", "", "UUID of the receiver, or its host"), columns::kind,
                 columns::peer_access, columns::bytes_per_second, columns::latency_seconds,
                 columns::data_right}}};
const report::DeclaredTable declared_topology{
    {.command = "topology",
     .page = "topology.md",
     .format = "breakeven topology",
     .version = topology_version,
     .columns = {columns::format, columns::version, columns::transport, columns::data_right,
                 datum("ranks", "", "list of ranks"),
                 datum("links", "", "list of links, one for each direction"),
                 datum("remarks", "", "sentences on what is odd").typed(report::JsonType::texts)}}};

report::ReportTable link_table(const Topology& topology) {
  report::ReportTable table = declared_links.empty();
  const std::size_t ranks = topology.ranks.size();
  const auto device = [&](std::size_t rank) {
    const RankInfo& info = topology.ranks[rank];
    return info.device.uuid.empty() ? info.host : info.device.uuid;
  };
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const std::size_t from = i / ranks;
    const std::size_t to = i % ranks;
    if (from == to) continue;
    const Link& link = topology.links[i];
    table.rows.push_back({report::count_cell(static_cast<int>(from)),
                          report::count_cell(static_cast<int>(to)), device(from), device(to), link.kind,
                          report::exact(link.peer_access), report::exact(link.bytes_per_second),
                          report::exact(link.latency_seconds), report::exact(link.data_right)});
  }
  return table;
}

report::Document document(const Topology& topology, std::string_view transport) {
  report::Document document;
  document.heading(1, "Topology");
  document.table(rank_table(topology));
  if (topology.ranks.size() > 1) {
    document.table(matrix(declared_kinds, transport, topology, show_kind));
    document.table(matrix(declared_bandwidths, transport, topology, show_bandwidth));
    document.table(matrix(declared_latencies, transport, topology, show_latency));
    document.paragraph(links_right(topology)
                           ? "All data arrived as sent."
                           : "SOME DATA DID NOT ARRIVE AS SENT: do not trust this machine.");
  }
  for (const std::string& remark : topology_remarks(topology)) document.item(remark);
  return document;
}

nlohmann::ordered_json json(const Topology& topology, std::string_view transport) {
  return {{"transport", transport},
          {"data_right", links_right(topology)},
          {"ranks", report::render_json(rank_table(topology))},
          {"links", report::render_json(link_table(topology))},
          {"remarks", topology_remarks(topology)}};
}

}  // namespace

std::string topology_report(const Topology& topology, std::string_view transport,
                            report::ReportFormat format) {
  return report::print({.whole = declared_topology,
                        .document = [&] { return document(topology, transport); },
                        .rows = [&] { return link_table(topology); },
                        .json = [&] { return json(topology, transport); }},
                       format);
}

}  // namespace breakeven::bench
