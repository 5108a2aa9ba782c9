// SPDX-License-Identifier: Apache-2.0
// The calls of the exchange, size by size, in the terms of nccl-tests
// (https://github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/watchdog.h"
#include "src/bench/collectives/collective_options.h"
#include "src/measure/roofline/measure_messages.h"

namespace breakeven {

struct CollectiveRow {
  Transport transport = Transport::none;
  bool graph = false;
  int ranks = 0;
  Collective operation = Collective::all_reduce;
  std::uint64_t bytes = 0;  // that a call works on: of all shares
  double seconds = not_measured;
  std::uint64_t wrong = 0;  // values, on all ranks

  // Bytes a second of what the call works on; and what each link carries of it, whatever the number of ranks.
  double algorithm_bandwidth() const { return static_cast<double>(bytes) / seconds; }
  double bus_bandwidth() const;
};

// Collective over the session's world; rank 0 has all rows. The watchdog is armed anew for each operation.
std::vector<CollectiveRow> measure_collectives(const std::vector<ProbedGroup>& groups,
                                               const CollectiveOptions& options, RunContext& bench,
                                               Watchdog& watchdog);

}  // namespace breakeven
