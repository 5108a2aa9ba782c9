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

void Training::step(std::span<Event* const> marks) {
  feeder_.before_launch(steps_enqueued_, *stream_);
  if (graph_ != nullptr) {
    graph_->launch(marks, *stream_);
  } else {
    PhaseMarks phase_marks(marks, strategy_->phases());
    strategy_->step(replica_, feeder_.source(), phase_marks, *stream_);
  }
  feeder_.after_launch(steps_enqueued_, *stream_);
  steps_enqueued_ += 1;
}

void Training::capture_step(std::span<Event* const> marks) {
  graph_ = device_.capture(
      [this](std::span<Event* const> current) {
        PhaseMarks phase_marks(current, strategy_->phases());
        strategy_->step(replica_, feeder_.source(), phase_marks, *stream_);
      },
      marks, *stream_);
}

Shard shard_of(std::uint32_t global_batch, int rank, int ranks) {
  const std::uint32_t rows = global_batch / static_cast<std::uint32_t>(ranks);
  return {static_cast<std::uint32_t>(rank) * rows, rows};
}

}  // namespace breakeven
