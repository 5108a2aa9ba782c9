// SPDX-License-Identifier: Apache-2.0
#include "src/measure/settling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/profiler_range.h"
#include "mpi/mpi_call.h"
#include "src/core/strategy/case_strategy.h"
#include "src/measure/clocks.h"
#include "src/measure/steady_windows.h"
#include "src/statistics/steady_state.h"

namespace breakeven::measure {
namespace {

constexpr double margin = 1.2;
constexpr std::uint32_t most_steps_a_window = 1'000'000;

Window train_window(train::Training& training, const GpuMonitor& monitor, std::span<Event* const> marks,
                    std::uint32_t launches) {
  const double start = host_seconds();
  for (std::uint32_t i = 0; i < launches; ++i) training.launch(training.steps_a_launch(), marks);
  const GpuReading reading = monitor.read();  // the device still works on what is enqueued
  training.stream().synchronize();
  const double seconds = host_seconds() - start;
  return window_of(seconds, seconds / launches / training.steps_a_launch(), reading);
}

std::uint32_t launches_of(double step_seconds, std::uint32_t steps_a_launch) {
  const double steps = std::min<double>(margin * window_seconds / step_seconds, most_steps_a_window);
  return static_cast<std::uint32_t>(std::max(1.0, std::ceil(steps / steps_a_launch)));
}

// [step] of the slowest rank, or the mean rank's where ranks do not wait for one another.
std::vector<double> seconds_over_ranks(const Case& what, const RunRecord& record, MPI_Comm group) {
  std::vector<double> seconds(made_steps(record));
  for (std::uint32_t step = 0; step < seconds.size(); ++step) seconds[step] = record.at(step, Phase::step);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                         traits_of(what).in_step ? MPI_MAX : MPI_SUM, group),
           "judging measured steps");
  return seconds;
}

bool stayed_steady(const Case& what, const RunRecord& record, MPI_Comm group, double tolerance) {
  const std::vector<double> seconds = seconds_over_ranks(what, record, group);
  return seconds.size() < statistics::fewest_for_quarters ||
         statistics::quarters_agree(seconds, std::max(statistics::largest_drift, tolerance));
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
  std::vector<Window> windows;
  while (settling.end == SettleEnd::none) {
    const std::uint32_t launches = launches_of(settling.step_seconds, training.steps_a_launch());
    windows.push_back(train_window(training, monitor, marks, launches));
    settling.steps += std::uint64_t{launches} * training.steps_a_launch();
    // Each rank judges its own windows; all ranks end together.
    std::array of_all{windows.back().step_seconds, are_steady(windows, rule.tolerance) ? 0.0 : 1.0,
                      host_seconds() - start};
    MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, of_all.data(), static_cast<int>(of_all.size()), MPI_DOUBLE, MPI_MAX,
                           group),
             "settling");
    settling.step_seconds = of_all[0];
    settling.seconds = of_all[2];
    if (of_all[1] == 0)
      settling.end = SettleEnd::steady;
    else if (settling.seconds >= rule.most_seconds)
      settling.end = SettleEnd::time_limit;
  }
  return settling;
}

void measure_until_steady(const Case& what, MPI_Comm group, const SettleRule& rule,
                          const std::function<void()>& measure, RunRecord& record) {
  for (;;) {
    const double start = host_seconds();
    measure();
    const bool had_settled = record.settle_end == static_cast<double>(SettleEnd::steady);
    if (!had_settled || stayed_steady(what, record, group, rule.tolerance)) return;
    const double settled_for = record.settle_seconds + largest_of(host_seconds() - start, group);
    if (!(settled_for < rule.most_seconds)) {
      record.settle_end = static_cast<double>(SettleEnd::time_limit);
      return;
    }
    record.settle_seconds = settled_for;
    record.settle_steps += static_cast<double>(trained_steps(record));
  }
}

}  // namespace breakeven::measure
