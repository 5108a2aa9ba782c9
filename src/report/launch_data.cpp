// SPDX-License-Identifier: Apache-2.0
// The launches of the report's JSON, each with its ranks, its measured peak rates and its links.
#include <nlohmann/json.hpp>

#include "src/report/columns.h"
#include "src/report/launch_facts.h"
#include "src/report/roofline.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

Json ranks_of(const Topology& topology) {
  Json ranks = Json::array();
  for (const RankInfo& rank : topology.ranks) {
    const DeviceInfo& device = rank.device;
    ranks.push_back({{"host", rank.host},
                     {"backend", device.backend},
                     {"name", device.name},
                     {"uuid", device.uuid},
                     {"pci_address", device.pci_address},
                     {"memory_bytes", device.memory_bytes},
                     {"numa_node", device.numa_node}});
  }
  return ranks;
}

Json links_of(const Topology& topology) {
  Json links = Json::array();
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const Link& link = topology.links[i];
    links.push_back({{"from", i / ranks},
                     {"to", i % ranks},
                     {"kind", link.kind},
                     {"peer_access", link.peer_access},
                     {"bytes_per_second", number_or_null(link.bytes_per_second)},
                     {"latency_seconds", number_or_null(link.latency_seconds)},
                     {"data_right", link.data_right}});
  }
  return links;
}

const DeclaredTable declared_launches{
    {.command = "report",
     .json = "launches",
     .page = "report.md#provenance",
     .columns = joined(
         {launch_columns(),
          {datum("ranks", "", "their devices"), datum("ceilings", "", "measured peak rates of each rank"),
           datum("links", "", "as `topology` measures them")}})}};
const DeclaredTable declared_ranks{
    {.command = "report",
     .json = "launches.ranks",
     .page = "report.md#provenance",
     .columns = {columns::host, columns::backend, columns::name, columns::uuid, columns::pci_address,
                 columns::memory_bytes, columns::numa_node}}};
const DeclaredTable declared_ceilings{{.command = "report",
                                       .json = "launches.ceilings",
                                       .page = "report.md#roofline",
                                       .columns = roofline_columns()}};
const DeclaredTable declared_links{
    {.command = "report",
     .json = "launches.links",
     .page = "topology.md",
     .columns = {columns::from, columns::to, columns::kind, columns::peer_access, columns::bytes_per_second,
                 columns::latency_seconds, columns::data_right}}};

}  // namespace

Json launches_as_json(const Results& results) {
  Json launches = Json::array();
  for (const Launch& launch : results.launches) {
    Json rooflines = Json::array();
    for (const Roofline& roofline : launch.roofline) rooflines.push_back(roofline_as_json(roofline));
    launches.push_back(launch_as_json(launch));
    launches.back().update(Json{{"ranks", ranks_of(launch.topology)},
                                {"ceilings", std::move(rooflines)},
                                {"links", links_of(launch.topology)}});
  }
  return launches;
}

}  // namespace breakeven::report
