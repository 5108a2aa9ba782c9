// SPDX-License-Identifier: Apache-2.0
// The events that a step records at the borders of its phases, or none at all.
#pragma once

#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/measure/phase.h"

namespace breakeven {

// `events` are one more than the strategy's phases (--instrument phases) or empty (--instrument total:
// nothing stands between the operations of a step).
class PhaseMarks {
 public:
  explicit PhaseMarks(std::span<Event* const> events) : events_(events) {}

  void begin(Stream& stream) { record(stream); }
  // Phases end in the order in which the strategy lists them.
  void end_of(Phase, Stream& stream) { record(stream); }

 private:
  void record(Stream& stream) {
    if (next_ < events_.size()) events_[next_++]->record(stream);
  }

  std::span<Event* const> events_;
  std::size_t next_ = 0;
};

}  // namespace breakeven
