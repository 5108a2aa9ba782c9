// SPDX-License-Identifier: Apache-2.0
// The events of a run, and the step and phase times between them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/core/records/run_record.h"

namespace breakeven::measure {

// One event before and after each launch (of one or several steps). With phases, also one event before the
// first phase and one after each phase of every step. All are made before the measurement starts.
class EventGrid {
 public:
  // For `steps` steps without a stop. `phases` are the strategy's, or empty to time whole steps only.
  EventGrid(Device& device, std::uint32_t steps, std::span<const Phase> phases);

  Event& border(std::uint32_t step) { return *borders_[step]; }  // before the step
  Event& begin(std::uint32_t step) { return *begins_[step]; }    // before the measured one of several

  // From now on each place of the grid stands for several steps. With phases only the last one is measured.
  void stand_for_several(Device& device);
  std::span<Event* const> marks(std::uint32_t step) const;  // empty without phases

  // From an earlier event to the border before the step.
  double border_since(const Event& earlier, std::uint32_t step) const {
    return borders_[step]->seconds_since(earlier);
  }

  // Once all events are reached: writes the seconds of steps and phases to the steps [first, end) of the
  // record, and adds their sum to steps_device_seconds. Phases that the strategy does not have took zero
  // seconds; without phases only the step is measured. If a launch made several steps, `step_ends`
  // (nanoseconds by the device's clock) divide the launch's time among them; time before its first step
  // counts for that step. Where a place stands for several steps, its time is their mean.
  void read_into(RunRecord& record, std::uint32_t first, std::uint32_t end,
                 std::span<const std::uint64_t> step_ends) const;

 private:
  // Steps [begin, end) of one launch, and the phases of one step; `seconds` is their part of the record.
  void read_launch(std::uint32_t begin, std::uint32_t end, std::span<const std::uint64_t> step_ends,
                   std::span<double> seconds) const;
  void read_several(std::uint32_t steps, std::uint32_t apart, std::span<double> seconds) const;
  void read_phases(std::uint32_t step, std::span<double> seconds) const;

  std::vector<Phase> phases_;
  std::vector<std::unique_ptr<Event>> borders_;
  std::vector<std::unique_ptr<Event>> begins_;  // none while a place is one step, or without phases
  std::vector<std::unique_ptr<Event>> marks_;
  std::vector<Event*> mark_pointers_;  // [step][phases + 1]
};

}  // namespace breakeven::measure
