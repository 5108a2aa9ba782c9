// SPDX-License-Identifier: Apache-2.0
// What the calls of the exchange take that a launch's cases may make.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/collective_probe.h"
#include "mpi/watchdog.h"
#include "src/core/case.h"
#include "src/core/records/message_times.h"
#include "src/measure/run_context.h"

namespace breakeven {

// The ranks [0, ranks) over a transport.
struct ProbedGroup {
  Transport transport;
  int ranks;
  int connected;  // so many have a communicator of their own; where they are more, the group is a part of it
  bool in_graph;
  bool operator==(const ProbedGroup&) const = default;
};

// Of the cases, and of the groups into which their strategies divide their ranks; in a graph where a case of
// the transport is one.
std::vector<ProbedGroup> probed_groups(const std::vector<Case>& cases);

// How large the messages of a measurement may be on a device: 256 MiB, or 16 MiB on a host.
std::uint64_t largest_message(const DeviceInfo& info);

// The group's communicator; null on ranks that are not in it. Collective over its connected ranks.
Communicator* communicator_of(const ProbedGroup& group, RunContext& bench);

// Every kind of call in every group. Collective over the session's world; rank 0's result has all numbers.
// The watchdog is armed anew for each group.
MessageTimes measure_messages(const std::vector<ProbedGroup>& groups, RunContext& bench, Watchdog& watchdog);

}  // namespace breakeven
