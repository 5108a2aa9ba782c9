// SPDX-License-Identifier: Apache-2.0
// The measured collective operations, one row per message size, in the terms of nccl-tests
// (https://github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/bench/collectives/collective_options.h"
#include "src/measure/roofline/measure_messages.h"

namespace breakeven::bench {

struct CollectiveRow {
  Transport transport = Transport::none;
  bool graph = false;
  int ranks = 0;
  Collective operation = Collective::all_reduce;
  std::uint64_t bytes = 0;  // of the data of all ranks together
  double seconds = not_measured;
  std::uint64_t wrong = 0;  // values, on all ranks

  // Bytes per second; and those over each link, which are comparable between numbers of ranks.
  double algorithm_bandwidth() const { return static_cast<double>(bytes) / seconds; }
  double bus_bandwidth() const;
};

// Collective over the session's world. Rank 0 has all rows. Each operation is
// an activity of its own (report_activity_as).
std::vector<CollectiveRow> measure_collectives(const std::vector<measure::ProbedGroup>& groups,
                                               const CollectiveOptions& options,
                                               measure::RunContext& context);

}  // namespace breakeven::bench
