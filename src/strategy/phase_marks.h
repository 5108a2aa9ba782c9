// SPDX-License-Identifier: Apache-2.0
// Marks the ends of a step's phases while it is enqueued: CUDA events if phases are measured, and named
// ranges for a profiler.
#pragma once

#include <span>
#include <stdexcept>

#include "kernels/device.h"
#include "kernels/profiler_range.h"
#include "src/core/phase.h"

namespace breakeven::strategy {

// With --timing phases, `events` has one event more than the strategy has phases. With --timing steps it is
// empty, so nothing separates the operations of a step. The profiler's ranges belong to the enqueuing thread;
// a graph shows them where it was captured, not where it is replayed.
class PhaseMarks {
 public:
  PhaseMarks(std::span<Event* const> events, std::span<const Phase> phases)
      : events_(events), phases_(phases) {}

  void begin(Stream& stream) {
    record(stream);
    push_profiler_range(name_of(phases_[0]).data());
  }

  // Phases end in the order in which the strategy lists them; in another, times would have wrong names.
  void end_of(Phase phase, Stream& stream) {
    if (ended_ == phases_.size() || phases_[ended_] != phase)
      throw std::logic_error("a strategy lists its phases in another order than it ends them");
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

}  // namespace breakeven::strategy
