// SPDX-License-Identifier: Apache-2.0
// The events of a run, and the times between them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/core/records/run_record.h"

namespace breakeven {

// One event at each border between launches, always, which is every border between steps where a launch makes
// one; and, where phases are wanted, one before the first and one after each phase of every step. All made
// before the measurement starts.
class EventGrid {
 public:
  // Of a stretch of `steps` steps without a stop; `phases` are the strategy's; empty: whole steps only.
  EventGrid(Device& device, std::uint32_t steps, std::span<const Phase> phases);

  Event& border(std::uint32_t step) { return *borders_[step]; }  // before it; the last one after all
  std::span<Event* const> marks(std::uint32_t step) const;       // empty without phases

  // From an earlier event to the first border of the stretch.
  double begin_since(const Event& earlier) const { return borders_.front()->seconds_since(earlier); }

  // After all events of a stretch are reached: the seconds of its steps and phases into the steps [first,
  // end) of the record, and their sum onto that of all steps. Phases that the strategy does not have took
  // zero seconds; without phases all but the step are not measured. Where a launch made several steps,
  // `step_ends` are when each of the stretch's ended, in nanoseconds: they divide what the events give for
  // the launch. What comes before a launch's first step belongs to that step.
  void read_into(RunRecord& record, std::uint32_t first, std::uint32_t end,
                 std::span<const std::uint64_t> step_ends) const;

 private:
  // Of the steps [begin, end) of the stretch, and of one of them; `seconds` are the stretch's in the record.
  void read_launch(std::uint32_t begin, std::uint32_t end, std::span<const std::uint64_t> step_ends,
                   std::span<double> seconds) const;
  void read_phases(std::uint32_t step, std::span<double> seconds) const;

  std::vector<Phase> phases_;
  std::vector<std::unique_ptr<Event>> borders_;
  std::vector<std::unique_ptr<Event>> marks_;
  std::vector<Event*> mark_pointers_;  // [step][phases + 1]
};

}  // namespace breakeven
