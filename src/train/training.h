// SPDX-License-Identifier: Apache-2.0
// A replica being trained by a strategy: steps are enqueued directly or as replays of graphs, one by one or
// several in a launch.
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

namespace breakeven {

// Steps that share what a launch costs. A small network's take about ten microseconds each: so many last
// longer than the host needs for the next launch, and a run of a hundred steps still has five launches.
inline constexpr std::uint32_t most_steps_a_launch = 20;

class Training {
 public:
  // `communicator` is null for a strategy that exchanges nothing. Dataset and communicator are borrowed.
  Training(Device& device, const StrategyChoice& strategy, Communicator* communicator, const Dataset& dataset,
           const MlpSettings& settings);

  // Enqueues the next steps, at most steps_a_launch(); `marks` are of one step's phases, or none. The first
  // launch is of one step and runs operation by operation whatever capture() is asked for later: libraries
  // set themselves up at first use, which a capture would not survive.
  void launch(std::uint32_t steps, std::span<Event* const> marks);

  // From now on a launch of as many steps is one graph, for each kind of step; call it after the first
  // launch. Later marks replace `marks` one for one.
  void capture(std::uint32_t steps, std::span<Event* const> marks);

  // Known after the first launch. More than one where the device makes steps as a whole and nothing has to
  // happen between them: no phase is measured, and no data are brought.
  std::uint32_t steps_a_launch() const { return makes_whole_steps_ ? most_steps_a_launch : 1; }

  Mlp& mlp() { return mlp_; }
  // A replica of the whole model with the parameters of now, for those who only predict; null where
  // replica() predicts all that its input holds. Collective over the ranks.
  std::unique_ptr<Mlp> gather_whole_mlp();
  Strategy& strategy() { return *strategy_; }
  Stream& stream() { return *stream_; }
  std::span<const Phase> phases() const { return strategy_->phases(); }
  std::uint32_t steps_enqueued() const { return steps_enqueued_; }
  // Of the step that was enqueued last.
  std::uint32_t last_kind() const { return strategy_->kind_of(steps_enqueued_ - 1); }

 private:
  void enqueue(std::uint32_t steps, std::uint32_t kind, std::span<Event* const> marks);

  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Strategy> strategy_;
  MlpSettings whole_settings_;
  Mlp mlp_;
  BatchFeeder feeder_;
  // By their number of steps and the kind of the first.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Graph>> graphs_;
  bool makes_whole_steps_ = false;
  std::uint32_t steps_enqueued_ = 0;
};

}  // namespace breakeven
