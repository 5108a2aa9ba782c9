// SPDX-License-Identifier: Apache-2.0
// A replica being trained by a strategy: steps are enqueued one by one, directly or as replays of one graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/strategy/strategy.h"
#include "src/train/batch_feeder.h"
#include "src/train/dataset.h"
#include "src/train/replica.h"

namespace breakeven {

class Training {
 public:
  // `communicator` is null for a strategy that exchanges nothing. Dataset and communicator are borrowed.
  Training(Device& device, const StrategyInfo& strategy, Communicator* communicator, const Dataset& dataset,
           const ReplicaSettings& settings);

  // Enqueues the next step. The first one runs operation by operation whatever capture_step() is asked for
  // later: libraries set themselves up at first use, which a capture would not survive.
  void step(std::span<Event* const> marks);

  // From now on a step is one graph; call it after the first step. Its marks replace `marks` one for one.
  void capture_step(std::span<Event* const> marks);

  Replica& replica() { return replica_; }
  Stream& stream() { return *stream_; }
  std::span<const Phase> phases() const { return strategy_->phases(); }
  std::uint32_t steps_enqueued() const { return steps_enqueued_; }

 private:
  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Strategy> strategy_;
  Replica replica_;
  BatchFeeder feeder_;
  std::unique_ptr<Graph> graph_;
  std::uint32_t steps_enqueued_ = 0;
};

// The rows of rank `rank` of `ranks` in a global batch that they divide evenly.
struct Shard {
  std::uint32_t first_sample;
  std::uint32_t rows;
};
Shard shard_of(std::uint32_t global_batch, int rank, int ranks);

}  // namespace breakeven
