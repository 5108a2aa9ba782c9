// SPDX-License-Identifier: Apache-2.0
// One rank's training by a strategy. A launch enqueues one or several steps, directly or as a replay of a
// graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/data/batch_feeder.h"
#include "src/data/dataset.h"
#include "src/model/mlp.h"
#include "src/strategy/strategy.h"

namespace breakeven::train {

// The largest number of steps per launch. A small network's step takes about ten microseconds; 20 of them
// take longer than the host needs for the next launch, and a run of a hundred steps still has five launches.
inline constexpr std::uint32_t most_steps_a_launch = 20;

class Training {
 public:
  // `communicator` is null if the strategy exchanges nothing. Dataset and communicator are borrowed.
  Training(Device& device, const StrategyChoice& strategy, Communicator* communicator,
           const data::Dataset& dataset, const MlpSettings& settings);

  // Enqueues the next steps, at most steps_a_launch(). `marks` are the events of one step's phases, or empty.
  // The first launch must be one step, before capture(): libraries set themselves up at first use, which
  // cannot be captured.
  void launch(std::uint32_t steps, std::span<Event* const> marks);

  // From now on a launch of this many steps replays one graph, for each kind of step. Call it after the first
  // launch. Later marks replace `marks` one for one.
  void capture(std::uint32_t steps, std::span<Event* const> marks);

  // Known after the first launch. More than one only for fused steps: no phase is measured and no data are
  // streamed.
  std::uint32_t steps_a_launch() const { return makes_whole_steps_ ? most_steps_a_launch : 1; }
  bool makes_whole_steps() const { return makes_whole_steps_; }

  model::Mlp& mlp() { return mlp_; }
  // A copy of the whole model with the current parameters, for inference; null if mlp() itself can predict.
  // Collective over the ranks.
  std::unique_ptr<model::Mlp> gather_whole_mlp();
  strategy::Strategy& strategy() { return *strategy_; }
  Stream& stream() { return *stream_; }
  std::span<const Phase> phases() const { return strategy_->phases(); }
  std::uint32_t steps_enqueued() const { return steps_enqueued_; }
  // This rank's share of the loss of `count` enqueued steps from `first` on: the sum over the ranks is the
  // mean loss of the global batch. The device keeps the last MlpSettings::total_steps steps. Waits for the
  // stream.
  std::vector<float> loss_shares(std::uint32_t first, std::uint32_t count);
  // When they ended, in nanoseconds by the device's clock: only of fused steps. Waits for the stream.
  std::vector<std::uint64_t> step_ends(std::uint32_t first, std::uint32_t count);
  // The kind of the step that was enqueued last.
  std::uint32_t last_kind() const { return strategy_->kind_of(steps_enqueued_ - 1); }

 private:
  void enqueue(std::uint32_t steps, std::uint32_t kind, std::span<Event* const> marks);

  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<strategy::Strategy> strategy_;
  MlpSettings whole_settings_;
  model::Mlp mlp_;
  data::BatchFeeder feeder_;
  // By number of steps and kind of the first step.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Graph>> graphs_;
  bool makes_whole_steps_ = false;
  std::uint32_t steps_enqueued_ = 0;
};

}  // namespace breakeven::train
