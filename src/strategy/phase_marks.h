// SPDX-License-Identifier: Apache-2.0
// The borders of a step's phases as it is enqueued: events where phases are measured, and names for a
// profiler.
#pragma once

#include <span>

#include "kernels/device.h"
#include "kernels/profiler_range.h"
#include "src/core/phase.h"

namespace breakeven {

// `events` are one more than the strategy's phases (--timing phases) or empty (--timing total:
// nothing stands between the operations of a step). The profiler's ranges are of the enqueuing thread; a
// replayed graph shows them where it was captured.
class PhaseMarks {
 public:
  PhaseMarks(std::span<Event* const> events, std::span<const Phase> phases)
      : events_(events), phases_(phases) {}

  // Whether the step is to show where its phases end.
  bool are_measured() const { return !events_.empty(); }

  void begin(Stream& stream) {
    record(stream);
    push_profiler_range(name_of(phases_[0]).data());
  }

  // Phases end in the order in which the strategy lists them.
  void end_of(Phase, Stream& stream) {
    pop_profiler_range();
    ended_ += 1;
    record(stream);
    if (ended_ < phases_.size()) push_profiler_range(name_of(phases_[ended_]).data());
  }

 private:
  void record(Stream& stream) {
    if (!events_.empty()) events_[ended_]->record(stream);
  }

  std::span<Event* const> events_;
  std::span<const Phase> phases_;
  std::size_t ended_ = 0;
};

}  // namespace breakeven
