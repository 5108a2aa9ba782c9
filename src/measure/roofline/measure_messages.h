// SPDX-License-Identifier: Apache-2.0
// How long the communication calls take that a launch's cases may make.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/collective_probe.h"
#include "src/core/case.h"
#include "src/core/records/message_times.h"
#include "src/measure/run_context.h"

namespace breakeven::measure {

// The ranks [0, ranks) over a transport.
struct ProbedGroup {
  Transport transport;
  int ranks;
  int connected;  // ranks of the communicator; if these are more than `ranks`, the group is split off from it
  bool in_graph;
  bool operator==(const ProbedGroup&) const = default;
};

// The groups of the cases, and those into which their strategies divide their ranks. In a graph if a case
// over that transport is.
std::vector<ProbedGroup> probed_groups(const std::vector<Case>& cases);

// The largest message to measure: 256 MiB, or less on a small GPU; 16 MiB on a host.
std::uint64_t largest_message(const DeviceInfo& info);

// The group's communicator; null on ranks that are not in it. Collective over its connected ranks.
Communicator* communicator_of(const ProbedGroup& group, RunContext& context);

// Measures every kind of call in every group. Collective over the session's world; rank 0's result has all
// numbers. Each group is an activity
// of its own (report_activity_as).
MessageTimes measure_messages(const std::vector<ProbedGroup>& groups, RunContext& context);

}  // namespace breakeven::measure
