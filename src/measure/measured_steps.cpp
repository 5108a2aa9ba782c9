// SPDX-License-Identifier: Apache-2.0
#include "src/measure/measured_steps.h"

#include <algorithm>
#include <vector>

#include "kernels/device.h"
#include "kernels/profiler_range.h"
#include "src/measure/clocks.h"

namespace breakeven::measure {
namespace {

// Trains the steps for which one of the record stands. With phases, the last of them is measured.
void launch_several(train::Training& training, EventGrid& grid, std::uint32_t place, std::uint32_t apart) {
  const std::span<Event* const> marks = grid.marks(place);
  const std::uint32_t launches = apart / training.steps_a_launch();
  for (std::uint32_t launch = 1; launch <= launches; ++launch) {
    if (launch == launches && !marks.empty()) grid.begin(place).record(training.stream());
    training.launch(training.steps_a_launch(), marks);
  }
}

// Enqueues the steps [first, end) of the record without waiting between them.
void measure_stretch(train::Training& training, EventGrid& grid, std::uint32_t first, std::uint32_t end,
                     const std::function<void()>& while_running, RunRecord& record) {
  const ProfilerRange range("measured steps");
  Stream& stream = training.stream();
  const std::uint32_t apart = steps_apart(record);
  const std::uint32_t places_a_launch = apart > 1 ? 1 : training.steps_a_launch();
  const double start = host_seconds();
  double last = start;
  grid.border(0).record(stream);
  for (std::uint32_t step = first; step < end; step += places_a_launch) {
    const std::uint32_t steps = std::min(places_a_launch, end - step);
    if (apart > 1) {
      launch_several(training, grid, step - first, apart);
    } else {
      training.launch(steps, grid.marks(step - first));
    }
    grid.border(step - first + steps).record(stream);
    const double now = host_seconds();
    std::fill_n(record.host_seconds.begin() + step, steps, (now - last) / (steps * apart));
    last = now;
  }
  if (has_settled(record)) while_running();
  stream.synchronize();
  record.steps_host_seconds += host_seconds() - start;
}

// Reads what was recorded in the steps [first, end).
void read_stretch(train::Training& training, const EventGrid& grid, std::uint32_t first, std::uint32_t end,
                  RunRecord& record) {
  const std::uint32_t apart = steps_apart(record);
  const std::uint32_t slot = training.steps_enqueued() - (end - first) * apart;
  grid.read_into(record, first, end,
                 apart > 1 ? std::vector<std::uint64_t>{} : training.step_ends(slot, end - first));
  const std::span<const strategy::ServedUpdate> updates = training.strategy().served_updates();
  for (std::uint32_t step = first; step < end && !updates.empty(); ++step)
    record.staleness[step] = static_cast<double>(updates[slot + (step - first + 1) * apart - 1].staleness());
  if (!has_settled(record))  // else they were read before settling
    std::ranges::copy(training.loss_shares(slot, end - first), record.loss.begin() + first);
}

// A step begins where the previous one ends, or where its first launch does.
void read_starts(const EventGrid& grid, const ClockReading& before, const ClockReading& after,
                 std::uint32_t first, std::uint32_t end, RunRecord& record) {
  const HostTime time(before, after);
  double since = grid.border_since(*before.event, 0);
  for (std::uint32_t step = first; step < end; ++step) {
    if (steps_apart(record) > 1) since = grid.border_since(*before.event, step - first);
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
                   std::uint32_t stretch, ClockReading begun, const std::function<void()>& while_running,
                   RunRecord& record) {
  record.steps_a_launch = training.steps_a_launch();
  record.steps_host_seconds = 0;
  record.steps_device_seconds = 0;
  record.start_uncertainty_seconds = 0;
  if (watch != nullptr) record.eval_seconds = 0;
  bool reached = false;
  std::uint32_t made = 0;
  while (made < record.steps && !reached) {
    const std::uint32_t end = std::min(made + stretch, record.steps);
    measure_stretch(training, grid, made, end, while_running, record);
    ClockReading ended = read_clocks(device, training.stream());
    const double stopped = host_seconds();
    read_stretch(training, grid, made, end, record);
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
  record.last_loss = training.loss_shares(training.steps_enqueued() - 1, 1).front();
  if (!reached) record.steps_to_quality = not_measured;
}

}  // namespace breakeven::measure
