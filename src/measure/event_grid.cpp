// SPDX-License-Identifier: Apache-2.0
#include "src/measure/event_grid.h"

#include <algorithm>

namespace breakeven {

EventGrid::EventGrid(Device& device, std::uint32_t steps, std::span<const Phase> phases)
    : phases_(phases.begin(), phases.end()) {
  for (std::uint32_t i = 0; i <= steps; ++i) borders_.push_back(device.make_event());
  if (phases_.empty()) return;
  for (std::size_t i = 0; i < steps * (phases_.size() + 1); ++i) {
    marks_.push_back(device.make_event());
    mark_pointers_.push_back(marks_.back().get());
  }
}

std::span<Event* const> EventGrid::marks(std::uint32_t step) const {
  if (phases_.empty()) return {};
  const std::size_t width = phases_.size() + 1;
  return std::span(mark_pointers_).subspan(step * width, width);
}

void EventGrid::read_into(RunRecord& record, std::span<const std::uint64_t> step_ends) const {
  const auto steps_a_launch = static_cast<std::uint32_t>(record.steps_a_launch);
  for (std::uint32_t first = 0; first < record.steps; first += steps_a_launch) {
    read_launch(first, std::min(first + steps_a_launch, record.steps), step_ends, record);
  }
  for (std::uint32_t step = 0; step < record.steps && !phases_.empty(); ++step) read_phases(step, record);
  record.steps_device_seconds = borders_[record.steps]->seconds_since(*borders_[0]);
}

void EventGrid::read_launch(std::uint32_t first, std::uint32_t end, std::span<const std::uint64_t> step_ends,
                            RunRecord& record) const {
  double left = borders_[end]->seconds_since(*borders_[first]);
  for (std::uint32_t step = first + 1; step < end; ++step) {
    const double seconds = 1e-9 * static_cast<double>(step_ends[step] - step_ends[step - 1]);
    record.at(step, Phase::step) = seconds;
    left -= seconds;
  }
  record.at(first, Phase::step) = left;
}

void EventGrid::read_phases(std::uint32_t step, RunRecord& record) const {
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step) record.at(step, info.phase) = 0.0;
  }
  double rest = record.at(step, Phase::step);
  const std::span<Event* const> events = marks(step);
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const double seconds = events[i + 1]->seconds_since(*events[i]);
    record.at(step, phases_[i]) += seconds;
    rest -= seconds;
  }
  record.at(step, Phase::overhead) = rest;
}

}  // namespace breakeven
