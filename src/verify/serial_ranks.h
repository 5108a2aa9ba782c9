// SPDX-License-Identifier: Apache-2.0
// The ranks of a case on one device, one after another and without any exchange: what the serial definitions
// of strategies are written with.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/core/case.h"
#include "src/data/dataset.h"
#include "src/measure/run_context.h"
#include "src/model/mlp.h"
#include "src/verify/trajectory.h"

namespace breakeven {

// Every rank is a replica with state, samples and masks of its own.
class SerialRanks {
 public:
  // `whole` is what a replica of the case is made of; which rows a rank has is seen to here. A rank's
  // gradient is added up from those of its micro-batches. With `pieces` over 1, each of these has so many
  // parts, as far as it has the rows: the same sums in another order.
  SerialRanks(const Case& what, RunContext& bench, const MlpSettings& whole, std::uint32_t pieces);

  int size() const { return static_cast<int>(ranks_.size()); }
  std::uint32_t steps() const { return steps_; }  // to be made, the warm-up among them
  Device& device() { return device_; }
  Stream& stream() { return *stream_; }
  std::span<float> gradients(int rank) { return first(rank).gradients(); }
  std::span<float> parameters(int rank) { return first(rank).parameters(); }
  const StepState* step_state(int rank) { return first(rank).step_state(); }

  // Of the rank's samples of its step, at its parameters, into gradients(rank).
  void make_gradient(int rank);
  // The optimizer's step from gradients(rank); the rank's step ends.
  void update(int rank);
  // Of gradients(rank) as make_gradient() made them, which are not those that update() is to apply.
  void forget_overflow(int rank) { first(rank).state().forget_overflow(*stream_); }
  // What update() goes on from, once parameters(rank) have been written to from outside.
  void take_parameters(int rank);
  // Counts gradients(rank), as they are now, into the norm of the step that the rank has just ended.
  void note_gradient(int rank);

  // The ranks' losses added up, the norms that were noted, and `parameters` as the result. Once, at the end.
  Trajectory trajectory(std::span<const float> parameters);

 private:
  struct Rank {
    std::vector<std::unique_ptr<Mlp>> pieces;
    Buffer squares;  // [step + 1], of the gradient in a step
  };
  Mlp& first(int rank) { return *ranks_[static_cast<std::size_t>(rank)].pieces.front(); }

  Device& device_;
  const Dataset& dataset_;
  std::unique_ptr<Stream> stream_;
  std::uint32_t steps_;
  std::vector<Rank> ranks_;
};

}  // namespace breakeven
