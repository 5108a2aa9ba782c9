// SPDX-License-Identifier: Apache-2.0
// Trains until the step time and the clock of the multiprocessors have stopped drifting, and measures until
// they stay so: a GPU that has just begun to work is cool and runs at its highest clock, and its power limit
// lowers the clock only seconds later.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <mpi.h>

#include "kernels/device.h"
#include "kernels/telemetry.h"
#include "src/core/case.h"
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

// Windows of training follow one another until they are steady (steady_windows.h) on all ranks of `group`, or
// the time is up. `step_seconds`: a first estimate, the same on all ranks. `marks`: the events that the
// captured graphs record, or empty. Collective over `group`.
Settling settle(train::Training& training, const GpuMonitor& monitor, MPI_Comm group, const SettleRule& rule,
                std::span<Event* const> marks, double step_seconds);

// Calls `measure`, which fills the record. A run that had settled but whose measured steps are not steady is
// measured again: what was measured then counts as settling. It is kept, as not settled, if that would use up
// the time of the rule. Steady: the quarters of the step series over the ranks agree within max(2 %,
// tolerance) (statistics::quarters_agree, with its rate of false alarms); fewer records than that takes are
// not judged. Collective over `group`.
void measure_until_steady(const Case& what, MPI_Comm group, const SettleRule& rule,
                          const std::function<void()>& measure, RunRecord& record);

// The largest of the ranks' values; all get it.
double largest_of(double value, MPI_Comm group);

}  // namespace breakeven::measure
