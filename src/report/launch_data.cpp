// SPDX-License-Identifier: Apache-2.0
// The launches of the report's JSON, each with its ranks, its measured peak rates and its links.
#include <cmath>

#include <nlohmann/json.hpp>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/roofline.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/launch_facts.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

const DeclaredTable declared_launches{
    {.command = "report",
     .json = "launches",
     .page = "report.md#provenance",
     .columns = joined(
         {launch_columns(),
          {datum("ranks", "", "their devices"), datum("roofline", "", "measured peak rates of each rank"),
           datum("links", "", "as `topology` measures them")}})}};
const TidyTable<RankInfo> rank_devices(
    {.command = "report", .json = "launches.ranks", .page = "report.md#provenance"},
    {{columns::host, [](auto& rank) { return Cell(rank.host); }},
     {columns::backend, [](auto& rank) { return Cell(rank.device.backend); }},
     {columns::name, [](auto& rank) { return Cell(rank.device.name); }},
     {columns::uuid, [](auto& rank) { return Cell(rank.device.uuid); }},
     {columns::pci_address, [](auto& rank) { return Cell(rank.device.pci_address); }},
     {columns::memory_bytes, [](auto& rank) { return count_cell(rank.device.memory_bytes); }},
     {columns::numa_node, [](auto& rank) { return count_cell(rank.device.numa_node); }}});
const DeclaredTable declared_roofline{{.command = "report",
                                       .json = "launches.roofline",
                                       .page = "report.md#roofline",
                                       .columns = roofline_columns()}};

struct LinkOfRanks {
  const Link& link;
  std::size_t from, to;
};
const TidyTable<LinkOfRanks> link_rows(
    {.command = "report", .json = "launches.links", .page = "topology.md"},
    {{columns::from, [](auto& one) { return count_cell(one.from); }},
     {columns::to, [](auto& one) { return count_cell(one.to); }},
     {columns::kind, [](auto& one) { return Cell(one.link.kind); }},
     {columns::peer_access, [](auto& one) { return exact(one.link.peer_access); }},
     {columns::bytes_per_second, [](auto& one) { return one.link.bytes_per_second; }},
     {columns::latency_seconds, [](auto& one) { return one.link.latency_seconds; }},
     {columns::data_right, [](auto& one) {
        return std::isfinite(one.link.bytes_per_second) ? exact(one.link.data_right) : dash_cell();
      }}});

Json links_of(const Topology& topology) {
  ReportTable table = link_rows.empty();
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t i = 0; i < topology.links.size(); ++i)
    link_rows.add({topology.links[i], i / ranks, i % ranks}, table);
  return render_json(table);
}

}  // namespace

Json launches_as_json(const Results& results) {
  Json launches = Json::array();
  for (const Launch& launch : results.launches) {
    Json rooflines = Json::array();
    for (const Roofline& roofline : launch.roofline) rooflines.push_back(roofline_as_json(roofline));
    launches.push_back(launch_as_json(launch));
    launches.back().update(Json{{"ranks", render_json(rank_devices.of(launch.topology.ranks))},
                                {"roofline", std::move(rooflines)},
                                {"links", links_of(launch.topology)}});
  }
  return launches;
}

}  // namespace breakeven::report
