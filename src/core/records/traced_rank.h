// SPDX-License-Identifier: Apache-2.0
// What one rank did while a profiler recorded its kernels.
#pragma once

#include "src/core/records/node_record.h"
#include "src/core/records/run_record.h"

namespace breakeven {

struct TracedRank {
  double untraced_seconds = not_measured;  // median step of the same case without the profiler
  double traced_seconds = not_measured;    // median step while the kernels were recorded
  std::uint32_t steps_a_launch = 1;
  RunRecord record{0};
  NodeRecording recording{};  // times in nanoseconds on the launch's clock
};

}  // namespace breakeven
