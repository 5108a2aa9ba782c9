// SPDX-License-Identifier: Apache-2.0
// What connects the ranks' devices: the kind of link between each pair, and what it really carries.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "mpi/session.h"
#include "mpi/watchdog.h"

namespace breakeven {

struct RankInfo {
  std::string host;
  DeviceInfo device;
};

// From one rank to another. Bandwidth counts bytes of payload a second in one direction; latency is half a
// round trip of one float. Both are measured with the transport that training would use.
struct Link {
  std::string kind;          // "self", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS", "SHM", "NET"; "?" unknown
  bool peer_access = false;  // cudaDeviceCanAccessPeer, both GPUs visible to one process
  double bytes_per_second = 0;  // NaN where not measured
  double latency_seconds = 0;   // NaN where not measured
  bool data_right = false;      // every float that arrived was the one sent
};

struct Topology {
  std::vector<RankInfo> ranks;
  std::vector<Link> links;  // ranks x ranks, row-major: links[from * ranks.size() + to]
};

// Of all ranks, on every rank. Collective over the world.
std::vector<RankInfo> gather_ranks(const Session& session, const DeviceInfo& info);

// Collective over the world; every rank returns the whole matrix. `communicator` spans the world. Pairs are
// measured one after another, so the time grows with the square of the ranks; a watchdog, where one is given,
// is armed anew for each pair.
Topology measure_topology(const Session& session, Device& device, Communicator& communicator,
                          Watchdog* watchdog = nullptr);

}  // namespace breakeven
