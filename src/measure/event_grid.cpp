// SPDX-License-Identifier: Apache-2.0
#include "src/measure/event_grid.h"

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

void EventGrid::read_into(RunRecord& record) const {
  for (std::uint32_t step = 0; step < record.steps; ++step) {
    const double step_seconds = borders_[step + 1]->seconds_since(*borders_[step]);
    record.at(step, Phase::step) = step_seconds;
    if (phases_.empty()) continue;
    for (const PhaseInfo& info : phases) {
      if (info.phase != Phase::step) record.at(step, info.phase) = 0.0;
    }
    double rest = step_seconds;
    const std::span<Event* const> events = marks(step);
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const double seconds = events[i + 1]->seconds_since(*events[i]);
      record.at(step, phases_[i]) += seconds;
      rest -= seconds;
    }
    record.at(step, Phase::overhead) = rest;
  }
  record.steps_device_seconds = borders_.back()->seconds_since(*borders_.front());
}

}  // namespace breakeven
