// SPDX-License-Identifier: Apache-2.0
#include "src/measure/event_grid.h"

#include <algorithm>

namespace breakeven::measure {
namespace {

std::size_t place_of(std::uint32_t step, Phase phase) { return step * phase_count + index_of(phase); }

}  // namespace

EventGrid::EventGrid(Device& device, std::uint32_t steps, std::span<const Phase> phases)
    : phases_(phases.begin(), phases.end()) {
  for (std::uint32_t i = 0; i <= steps; ++i) borders_.push_back(device.make_event());
  if (phases_.empty()) return;
  for (std::size_t i = 0; i < steps * (phases_.size() + 1); ++i) {
    marks_.push_back(device.make_event());
    mark_pointers_.push_back(marks_.back().get());
  }
}

void EventGrid::stand_for_several(Device& device) {
  for (std::size_t i = 1; i < borders_.size() && !phases_.empty(); ++i)
    begins_.push_back(device.make_event());
}

std::span<Event* const> EventGrid::marks(std::uint32_t step) const {
  if (phases_.empty()) return {};
  const std::size_t width = phases_.size() + 1;
  return std::span(mark_pointers_).subspan(step * width, width);
}

void EventGrid::read_into(RunRecord& record, std::uint32_t first, std::uint32_t end,
                          std::span<const std::uint64_t> step_ends) const {
  const auto steps_a_launch = static_cast<std::uint32_t>(record.steps_a_launch);
  const std::uint32_t steps = end - first;
  const std::span<double> seconds =
      std::span(record.seconds).subspan(first * phase_count, steps * phase_count);
  if (steps_apart(record) > 1) {
    read_several(steps, steps_apart(record), seconds);
  } else {
    for (std::uint32_t begin = 0; begin < steps; begin += steps_a_launch)
      read_launch(begin, std::min(begin + steps_a_launch, steps), step_ends, seconds);
  }
  for (std::uint32_t step = 0; step < steps && !phases_.empty(); ++step) read_phases(step, seconds);
  record.steps_device_seconds += borders_[steps]->seconds_since(*borders_[0]);
}

void EventGrid::read_launch(std::uint32_t begin, std::uint32_t end, std::span<const std::uint64_t> step_ends,
                            std::span<double> seconds) const {
  double left = borders_[end]->seconds_since(*borders_[begin]);
  for (std::uint32_t step = begin + 1; step < end; ++step) {
    const double own = 1e-9 * static_cast<double>(step_ends[step] - step_ends[step - 1]);
    seconds[place_of(step, Phase::step)] = own;
    left -= own;
  }
  seconds[place_of(begin, Phase::step)] = left;
}

void EventGrid::read_several(std::uint32_t steps, std::uint32_t apart, std::span<double> seconds) const {
  for (std::uint32_t step = 0; step < steps; ++step) {
    seconds[place_of(step, Phase::step)] = begins_.empty()
                                               ? borders_[step + 1]->seconds_since(*borders_[step]) / apart
                                               : borders_[step + 1]->seconds_since(*begins_[step]);
  }
}

void EventGrid::read_phases(std::uint32_t step, std::span<double> seconds) const {
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step) seconds[place_of(step, info.phase)] = 0.0;
  }
  double rest = seconds[place_of(step, Phase::step)];
  const std::span<Event* const> events = marks(step);
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const double own = events[i + 1]->seconds_since(*events[i]);
    seconds[place_of(step, phases_[i])] += own;
    rest -= own;
  }
  seconds[place_of(step, Phase::overhead)] = rest;
}

}  // namespace breakeven::measure
