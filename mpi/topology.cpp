// SPDX-License-Identifier: Apache-2.0
#include "mpi/topology.h"

#include "kernels/gpus.h"
#include "kernels/telemetry.h"
#include "mpi/link_probe.h"
#include "mpi/pack.h"
#include "src/core/records/run_record.h"
#include "src/core/terminate.h"

namespace breakeven {
namespace {

// RankInfo and Link with fixed sizes, so that one gather collects them.
struct PackedRank {
  char host[128];
  char backend[16];
  char name[128];
  char uuid[64];
  char pci_address[32];
  int multiprocessors;
  int compute_capability;
  std::uint64_t memory_bytes;
  int numa_node;
};

struct PackedLink {
  char kind[16];
  int peer_access;
  int data_right;
  double bytes_per_second;
  double latency_seconds;
};

PackedRank packed(const Session& session, const DeviceInfo& info) {
  PackedRank rank = {};
  pack_text(rank.host, session.host());
  pack_text(rank.backend, info.backend);
  pack_text(rank.name, info.name);
  pack_text(rank.uuid, info.uuid);
  pack_text(rank.pci_address, info.pci_address);
  rank.multiprocessors = info.multiprocessors;
  rank.compute_capability = info.compute_capability;
  rank.memory_bytes = info.memory_bytes;
  rank.numa_node = info.numa_node;
  return rank;
}

std::string kind_of(const RankInfo& from, const RankInfo& to) {
  if (from.host != to.host) return "NET";
  if (from.device.is_host() || to.device.is_host()) return "SHM";
  if (from.device.uuid == to.device.uuid) return "self";  // two ranks share one GPU
  return link_kind(from.device.uuid, to.device.uuid);
}

// The links that end at this rank, without measured values.
std::vector<PackedLink> links_to_me(const Session& session, const std::vector<RankInfo>& ranks) {
  std::vector<PackedLink> links(ranks.size(), PackedLink{});
  const auto me = static_cast<std::size_t>(session.rank());
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    PackedLink& link = links[from];
    pack_text(link.kind, from == me ? "self" : kind_of(ranks[from], ranks[me]));
    const bool gpus_of_one_host = ranks[from].host == ranks[me].host && !ranks[me].device.uuid.empty();
    link.peer_access = gpus_of_one_host && can_access_peer(ranks[me].device.uuid, ranks[from].device.uuid);
    link.data_right = from == me;  // nothing is sent
    link.bytes_per_second = not_measured;
    link.latency_seconds = not_measured;
  }
  return links;
}

// Both ranks of the pair measure; the receiver keeps the result.
void measure_pair(const Session& session, LinkProbe& probe, int from, int to,
                  std::vector<PackedLink>& links) {
  const bool right = probe.data_right(from, to);
  const double rate = probe.bytes_per_second(from, to);
  const double latency = probe.latency_seconds(from, to);
  if (session.rank() != to) return;
  PackedLink& link = links[static_cast<std::size_t>(from)];
  link.data_right = right;
  link.bytes_per_second = rate;
  link.latency_seconds = latency;
}

// Measures pair after pair, in both directions; all other ranks sleep.
void measure_pairs(const Session& session, Device& device, Communicator& communicator,
                   std::vector<PackedLink>& links) {
  LinkProbe probe(device, communicator, session.world());
  for (int from = 0; from < session.size(); ++from) {
    for (int to = 0; to < session.size(); ++to) {
      if (from == to) continue;
      report_activity_as("measuring the link from rank " + std::to_string(from) + " to rank " +
                         std::to_string(to));
      if (session.rank() == from || session.rank() == to) {
        measure_pair(session, probe, from, to, links);
        communicator.check();
      }
      session.sleepy_barrier();
    }
  }
}

}  // namespace

std::vector<RankInfo> gather_ranks(const Session& session, const DeviceInfo& info) {
  std::vector<RankInfo> ranks;
  for (const PackedRank& rank : gather_records(session.world(), std::vector{packed(session, info)})) {
    ranks.push_back({.host = rank.host,
                     .device = {.backend = rank.backend,
                                .name = rank.name,
                                .uuid = rank.uuid,
                                .pci_address = rank.pci_address,
                                .multiprocessors = rank.multiprocessors,
                                .compute_capability = rank.compute_capability,
                                .memory_bytes = static_cast<std::size_t>(rank.memory_bytes),
                                .numa_node = rank.numa_node}});
  }
  return ranks;
}

Topology measure_topology(const Session& session, Device& device, Communicator& communicator) {
  Topology topology{.ranks = gather_ranks(session, device.info()), .links = {}};
  std::vector<PackedLink> mine = links_to_me(session, topology.ranks);
  if (session.size() > 1) measure_pairs(session, device, communicator, mine);

  const std::vector<PackedLink> all = gather_records(session.world(), mine);  // [to][from]
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) {
      const PackedLink& link = all[to * ranks + from];
      topology.links.push_back({.kind = link.kind,
                                .peer_access = link.peer_access != 0,
                                .bytes_per_second = link.bytes_per_second,
                                .latency_seconds = link.latency_seconds,
                                .data_right = link.data_right != 0});
    }
  }
  return topology;
}

}  // namespace breakeven
