// SPDX-License-Identifier: Apache-2.0
// When has training become steady? Decided by windows of training that follow one another; no device here.
#pragma once

#include <span>

#include "kernels/telemetry.h"
#include "src/core/records/run_record.h"

namespace breakeven::measure {

inline constexpr double window_seconds = 0.2;  // at least; what turns out shorter decides nothing

struct Window {
  double seconds = 0;
  double step_seconds = not_measured;
  double clock_hz = not_measured;     // of the multiprocessors, while the steps run
  double power_share = not_measured;  // of the power limit
  bool is_slowed = false;             // a limit of power or heat lowers the clock
};

// Power is the instant's where NVML tells it; the usual reading is a mean of the last second on most GPUs.
Window window_of(double seconds, double step_seconds, const GpuReading& reading);

// Two windows decide if the device is far from its power limit, or if that is unknown: both halves agree in
// step time and clock within the share `tolerance`. Near it four windows decide, 1.5 s after settling began
// at the earliest, since the limit acts 0.5 to 1.5 s after a GPU begins to work. Their halves must agree, and
// no two of them may be further apart than max(2 %, tolerance): a peak has equal halves.
//
// Near: half of the limit, or a clock that is slowed. Waiting in vain costs a second; a limit that acts only
// after two windows have decided is found in the measured steps (settling.h).
//
// `windows`: all since settling began. Simulated (tests/measure/test_steady_windows.cpp): of runs near the
// limit that are steady but for the noise of their windows, over 99.9 % are found so within 5 s at a noise of
// up to 0.5 %, 97 % at 1 %, 46 % at 2 %; on average after 1.7, 2.5 and 4.1 s.
bool are_steady(std::span<const Window> windows, double tolerance);

}  // namespace breakeven::measure
