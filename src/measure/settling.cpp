// SPDX-License-Identifier: Apache-2.0
#include "src/measure/settling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/profiler_range.h"
#include "mpi/mpi_call.h"
#include "src/measure/clocks.h"

namespace breakeven::measure {
namespace {

constexpr double window_seconds = 0.2;  // at least; what turns out shorter decides nothing
constexpr double margin = 1.2;
// NVIDIA's clocks are multiples of 15 MHz, and one that a power limit holds goes to and fro between two of
// them: 0.9 % of 1,665 MHz, which no tolerance below it would ever call steady.
constexpr double clock_quantum_hz = 15e6;
constexpr std::uint32_t most_steps_a_window = 1'000'000;

struct Window {
  double seconds = 0;
  double step_seconds = not_measured;
  double clock_hz = not_measured;  // while the steps run
};

bool agree(double a, double b, double tolerance) { return std::abs(a / b - 1) <= tolerance; }

// Where no clock can be read, the step times alone decide.
bool agree(const Window& a, const Window& b, double tolerance) {
  if (!(a.seconds >= window_seconds && b.seconds >= window_seconds)) return false;
  const bool has_clock = std::isfinite(a.clock_hz) && std::isfinite(b.clock_hz);
  return agree(a.step_seconds, b.step_seconds, tolerance) &&
         (!has_clock || agree(a.clock_hz, b.clock_hz, tolerance + clock_quantum_hz / b.clock_hz));
}

Window train_window(train::Training& training, const GpuMonitor& monitor, std::span<Event* const> marks,
                    std::uint32_t launches) {
  const double start = host_seconds();
  for (std::uint32_t i = 0; i < launches; ++i) training.launch(training.steps_a_launch(), marks);
  Window window;
  window.clock_hz = monitor.read().sm_clock_hz;  // the device still works on what is enqueued
  training.stream().synchronize();
  window.seconds = host_seconds() - start;
  window.step_seconds = window.seconds / launches / training.steps_a_launch();
  return window;
}

std::uint32_t launches_of(double step_seconds, std::uint32_t steps_a_launch) {
  const double steps = std::min<double>(margin * window_seconds / step_seconds, most_steps_a_window);
  return static_cast<std::uint32_t>(std::max(1.0, std::ceil(steps / steps_a_launch)));
}

}  // namespace

double largest_of(double value, MPI_Comm group) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, group));
  return value;
}

Settling settle(train::Training& training, const GpuMonitor& monitor, MPI_Comm group, const SettleRule& rule,
                std::span<Event* const> marks, double step_seconds) {
  Settling settling;
  settling.step_seconds = step_seconds;
  if (!(rule.most_seconds > 0)) return settling;
  const ProfilerRange range("settling");
  const double start = host_seconds();
  Window last;
  while (settling.end == SettleEnd::none) {
    const std::uint32_t launches = launches_of(settling.step_seconds, training.steps_a_launch());
    const Window now = train_window(training, monitor, marks, launches);
    settling.steps += std::uint64_t{launches} * training.steps_a_launch();
    // Each rank compares its own windows; all ranks end together.
    std::array of_all{now.step_seconds, agree(now, last, rule.tolerance) ? 0.0 : 1.0, host_seconds() - start};
    MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, of_all.data(), static_cast<int>(of_all.size()), MPI_DOUBLE, MPI_MAX,
                           group),
             "settling");
    settling.step_seconds = of_all[0];
    settling.seconds = of_all[2];
    if (of_all[1] == 0)
      settling.end = SettleEnd::steady;
    else if (settling.seconds >= rule.most_seconds)
      settling.end = SettleEnd::time_limit;
    last = now;
  }
  return settling;
}

}  // namespace breakeven::measure
