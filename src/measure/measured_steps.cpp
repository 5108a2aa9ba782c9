// SPDX-License-Identifier: Apache-2.0
#include "src/measure/measured_steps.h"

#include <algorithm>

#include "kernels/device.h"
#include "kernels/profiler_range.h"
#include "src/measure/clocks.h"

namespace breakeven::measure {
namespace {

// Enqueues the steps [first, end) of the record without waiting between them.
void measure_stretch(train::Training& training, EventGrid& grid, std::uint32_t first, std::uint32_t end,
                     RunRecord& record) {
  const ProfilerRange range("measured steps");
  Stream& stream = training.stream();
  const std::uint32_t steps_a_launch = training.steps_a_launch();
  const double start = host_seconds();
  double last = start;
  grid.border(0).record(stream);
  for (std::uint32_t step = first; step < end; step += steps_a_launch) {
    const std::uint32_t steps = std::min(steps_a_launch, end - step);
    training.launch(steps, grid.marks(step - first));
    grid.border(step - first + steps).record(stream);
    const double now = host_seconds();
    std::fill_n(record.host_seconds.begin() + step, steps, (now - last) / steps);
    last = now;
  }
  stream.synchronize();
  record.steps_host_seconds += host_seconds() - start;
}

// Reads what the device recorded in the steps [first, end).
void read_stretch(train::Training& training, Device& device, const EventGrid& grid, std::uint32_t first,
                  std::uint32_t end, RunRecord& record) {
  model::Mlp& mlp = training.mlp();
  const std::uint32_t slot = training.steps_enqueued() - (end - first);
  grid.read_into(record, first, end,
                 download(device, mlp.step_ends().subspan(slot, end - first), training.stream()));
  const std::span<const strategy::ServedUpdate> updates = training.strategy().served_updates();
  if (!updates.empty())
    std::ranges::transform(updates.subspan(slot, end - first), record.staleness.begin() + first,
                           &strategy::ServedUpdate::staleness);
  std::ranges::copy(training.loss_shares(slot, end - first), record.loss.begin() + first);
}

// A step begins where the previous one ends.
void read_starts(const EventGrid& grid, const ClockReading& before, const ClockReading& after,
                 std::uint32_t first, std::uint32_t end, RunRecord& record) {
  const HostTime time(before, after);
  double since = grid.begin_since(*before.event);
  for (std::uint32_t step = first; step < end; ++step) {
    record.start_seconds[step] = time.at(since);
    since += record.at(step, Phase::step);
  }
  // The largest of all stretches; NaN stays.
  const double uncertainty = time.uncertainty_seconds();
  if (!(uncertainty <= record.start_uncertainty_seconds)) record.start_uncertainty_seconds = uncertainty;
}

}  // namespace

std::uint32_t steps_a_stretch(const RunOptions& options) {
  return options.until ? std::min(options.eval_every, options.steps) : options.steps;
}

void measure_steps(train::Training& training, Device& device, EventGrid& grid, QualityWatch* watch,
                   std::uint32_t stretch, ClockReading begun, RunRecord& record) {
  record.steps_a_launch = training.steps_a_launch();
  record.steps_host_seconds = 0;
  record.steps_device_seconds = 0;
  record.start_uncertainty_seconds = 0;
  if (watch != nullptr) record.eval_seconds = 0;
  bool reached = false;
  std::uint32_t made = 0;
  while (made < record.steps && !reached) {
    const std::uint32_t end = std::min(made + stretch, record.steps);
    measure_stretch(training, grid, made, end, record);
    ClockReading ended = read_clocks(device, training.stream());
    const double stopped = host_seconds();
    read_stretch(training, device, grid, made, end, record);
    read_starts(grid, begun, ended, made, end, record);
    begun = std::move(ended);
    // Before the first evaluation, which may need more memory.
    if (made == 0) record.peak_memory_bytes = static_cast<double>(device.peak_bytes());
    made = end;
    if (watch == nullptr) continue;
    record.steps_to_quality = watch->evaluate();
    reached = record.steps_to_quality > 0;
    record.eval_seconds += host_seconds() - stopped;
  }
  record.steps_made = made;
  if (!reached) record.steps_to_quality = not_measured;
}

}  // namespace breakeven::measure
