// SPDX-License-Identifier: Apache-2.0
// The links between the ranks' devices: the kind of each, its measured bandwidth and latency.
#pragma once

#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "mpi/session.h"
#include "src/core/records/topology.h"

namespace breakeven {

// All ranks' hosts and devices, on every rank. Collective over the world.
std::vector<RankInfo> gather_ranks(const Session& session, const DeviceInfo& info);

// Collective over the world; every rank returns the whole matrix. `communicator` spans the world. Pairs are
// measured one after another, so the time grows with the square of the number of ranks. Each
// pair is an activity of its own (report_activity_as).
Topology measure_topology(const Session& session, Device& device, Communicator& communicator);

}  // namespace breakeven
