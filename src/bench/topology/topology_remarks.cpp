// SPDX-License-Identifier: Apache-2.0
// Sentences on what is wrong with a launch or its links.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "src/bench/topology/topology_report.h"
#include "src/report/format/numbers.h"

namespace breakeven::bench {
namespace {

// Calls body(from, to, link) for every two different ranks.
template <typename Body>
void for_each_link(const Topology& topology, Body body) {
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) {
      if (from != to) body(from, to, topology.links[from * ranks + to]);
    }
  }
}

bool on_gpu(const RankInfo& rank) { return rank.device.is_gpu(); }

using Remarks = std::vector<std::string>;

void remark_on_data(const Topology& topology, Remarks& remarks) {
  for_each_link(topology, [&](std::size_t from, std::size_t to, const Link& link) {
    if (link.data_right) return;
    remarks.push_back(fmt::format("WRONG DATA: what rank {} sent arrived changed at rank {}.", from, to));
  });
}

void remark_on_launch(const Topology& topology, Remarks& remarks) {
  if (topology.ranks.size() == 1) {
    remarks.emplace_back(
        "There is only one rank, so there is no link to measure. Run: mpirun -np 2 breakeven topology");
  }
  std::set<std::string> names;
  for (const RankInfo& rank : topology.ranks) names.insert(rank.device.name);
  if (names.size() > 1) {
    remarks.emplace_back("The ranks have different devices. The slowest sets the pace of every step.");
  }
}

void remark_on_gpus(const Topology& topology, Remarks& remarks) {
  std::vector<std::size_t> without_node;
  for (std::size_t rank = 0; rank < topology.ranks.size(); ++rank) {
    const RankInfo& info = topology.ranks[rank];
    if (on_gpu(info) && info.device.numa_node < 0) without_node.push_back(rank);
  }
  if (without_node.empty()) return;
  remarks.push_back(fmt::format(
      "The NUMA node of the GPU is unknown for rank {}, so the rank may run on a distant CPU socket.",
      report::format_numbers(without_node)));
}

void remark_on_peers(const Topology& topology, Remarks& remarks) {
  for_each_link(topology, [&](std::size_t a, std::size_t b, const Link& link) {
    const RankInfo& first = topology.ranks[a];
    const RankInfo& second = topology.ranks[b];
    if (b < a || first.host != second.host || !on_gpu(first) || !on_gpu(second)) return;
    if (first.device.uuid == second.device.uuid) {
      remarks.push_back(fmt::format("Ranks {} and {} share one GPU and its speed.", a, b));
    } else if (!link.peer_access) {
      remarks.push_back(
          fmt::format("Ranks {} and {} share host {}, but their GPUs cannot access each other's memory, so "
                      "their data may go through the host. If each process sees only its own GPU, request "
                      "GPUs with --gpus-per-node, without --gpus-per-task or --gpu-bind.",
                      a, b, first.host));
    }
  });
}

// A link is slow below this share of the fastest of its kind. The two directions, and pairs of one kind, may
// differ by a quarter. One reading may be a disturbance, so the sentence says to measure again.
constexpr double slow_share = 0.75;

void remark_on_bandwidth(const Topology& topology, Remarks& remarks) {
  std::map<std::string, double> fastest;
  for_each_link(topology, [&](std::size_t, std::size_t, const Link& link) {
    if (!std::isfinite(link.bytes_per_second)) return;
    fastest[link.kind] = std::max(fastest[link.kind], link.bytes_per_second);
  });
  for_each_link(topology, [&](std::size_t from, std::size_t to, const Link& link) {
    if (!(link.bytes_per_second < slow_share * fastest[link.kind])) return;
    remarks.push_back(fmt::format(
        "The link from rank {} to {} is slow: {}; the fastest link of its kind ({}) reaches {}. Measure "
        "again, and check that pair if it stays slow.",
        from, to, report::format_bandwidth(link.bytes_per_second), link.kind,
        report::format_bandwidth(fastest[link.kind])));
  });
}

}  // namespace

std::vector<std::string> topology_remarks(const Topology& topology) {
  Remarks remarks;
  remark_on_data(topology, remarks);
  remark_on_launch(topology, remarks);
  remark_on_gpus(topology, remarks);
  remark_on_peers(topology, remarks);
  remark_on_bandwidth(topology, remarks);
  return remarks;
}

bool links_right(const Topology& topology) {
  return std::all_of(topology.links.begin(), topology.links.end(),
                     [](const Link& link) { return link.data_right; });
}

}  // namespace breakeven::bench
