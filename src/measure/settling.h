// SPDX-License-Identifier: Apache-2.0
// Trains until the step time and the clock of the multiprocessors have stopped drifting: a GPU that has just
// begun to work is cool and runs at its highest clock, and its power cap lowers the clock only seconds later.
#pragma once

#include <cstdint>
#include <span>

#include <mpi.h>

#include "kernels/device.h"
#include "kernels/telemetry.h"
#include "src/core/records/run_record.h"
#include "src/measure/plan/options.h"
#include "src/train/training.h"

namespace breakeven::measure {

struct Settling {
  double seconds = 0;
  std::uint64_t steps = 0;
  SettleEnd end = SettleEnd::none;
  double step_seconds = 0;  // of the last window, on the slowest rank
};

// Windows of at least 0.2 s follow one another until two agree in step time and in clock, on all ranks of
// `group`, or the time is up. The clock counts where it can be read. `step_seconds`: a first estimate, the
// same on all ranks. `marks`: the events that the captured graphs record, or empty. Collective over `group`.
Settling settle(train::Training& training, const GpuMonitor& monitor, MPI_Comm group, const SettleRule& rule,
                std::span<Event* const> marks, double step_seconds);

// The largest of the ranks' values; all get it.
double largest_of(double value, MPI_Comm group);

}  // namespace breakeven::measure
