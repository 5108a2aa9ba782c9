// SPDX-License-Identifier: Apache-2.0
#include "src/train/training.h"

namespace breakeven {

Training::Training(Device& device, const StrategyInfo& strategy, Communicator* communicator,
                   const Dataset& dataset, const ReplicaSettings& settings)
    : device_(device),
      stream_(device.make_stream()),
      strategy_(strategy.make(communicator)),
      replica_(device, settings, *stream_),
      feeder_(device, dataset, settings) {}

void Training::launch(std::uint32_t steps, std::span<Event* const> marks) {
  feeder_.before_launch(steps_enqueued_, *stream_);
  if (const auto graph = graphs_.find(steps); graph != graphs_.end()) {
    graph->second->launch(marks, *stream_);
  } else {
    enqueue(steps, marks);
  }
  feeder_.after_launch(steps_enqueued_, *stream_);
  steps_enqueued_ += steps;
}

void Training::capture(std::uint32_t steps, std::span<Event* const> marks) {
  graphs_[steps] = device_.capture(
      [this, steps](std::span<Event* const> current) { enqueue(steps, current); }, marks, *stream_);
}

void Training::enqueue(std::uint32_t steps, std::span<Event* const> marks) {
  if (marks.empty() && !feeder_.source().staged) {
    makes_whole_steps_ = strategy_->whole_steps(replica_, feeder_.source(), steps, *stream_);
    if (makes_whole_steps_) return;
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    PhaseMarks phase_marks(marks, strategy_->phases());
    strategy_->step(replica_, feeder_.source(), phase_marks, *stream_);
  }
}

Shard shard_of(std::uint32_t global_batch, int rank, int ranks) {
  const std::uint32_t rows = global_batch / static_cast<std::uint32_t>(ranks);
  return {static_cast<std::uint32_t>(rank) * rows, rows};
}

}  // namespace breakeven
