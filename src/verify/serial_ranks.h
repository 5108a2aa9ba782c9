// SPDX-License-Identifier: Apache-2.0
// The ranks of a case on one device, one after another and without communication. The serial definitions of
// strategies are written with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/core/case.h"
#include "src/data/dataset.h"
#include "src/measure/run_context.h"
#include "src/model/mlp.h"
#include "src/verify/rounding.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {

// Every rank is a replica with state, samples and masks of its own.
class SerialRanks {
 public:
  // `whole` describes a replica of the case; the constructor gives each rank its rows. A rank's gradient is
  // the sum over its micro-batches; each of them is cut into `rounding.pieces`, if it has the rows.
  SerialRanks(const Case& what, measure::RunContext& context, const MlpSettings& whole,
              const Rounding& rounding);

  int size() const { return static_cast<int>(ranks_.size()); }
  std::uint32_t steps() const { return steps_; }  // of the run, including the warm-up
  Device& device() { return device_; }
  Stream& stream() { return *stream_; }
  std::span<float> gradients(int rank) { return first(rank).gradients(); }
  std::span<float> parameters(int rank) { return first(rank).parameters(); }
  const StepState* step_state(int rank) { return first(rank).step_state(); }

  // Computes gradients(rank) from the rank's samples of this step and its parameters.
  void make_gradient(int rank);
  // The optimizer's step from gradients(rank); the rank's step ends.
  void update(int rank);
  // For a rank whose update() applies other gradients than make_gradient() computed.
  void forget_overflow(int rank) { first(rank).state().forget_overflow(*stream_); }
  // Makes the rank go on from parameters(rank), after they were written from outside.
  void take_parameters(int rank);
  // Adds the current gradients(rank) to the norm of the step that the rank has just ended.
  void note_gradient(int rank);

  // All steps of strategies whose ranks update together: every rank makes its gradient, `exchange()` replaces
  // gradients(rank) by what the ranks apply, and every rank updates. Returns rank 0's parameters.
  template <typename Exchange>
  Trajectory train_together(Exchange exchange);

  // The sum of the ranks' losses, the norms that were noted, and `parameters` as the result. Call it once, at
  // the end.
  Trajectory trajectory(std::span<const float> parameters);

 private:
  struct Rank {
    std::vector<std::unique_ptr<model::Mlp>> pieces;
    Buffer squares;  // [step + 1], of the gradient in a step
  };
  void nudge_parameters(std::uint64_t seed, std::uint32_t nudge);
  model::Mlp& first(int rank) { return *ranks_[static_cast<std::size_t>(rank)].pieces.front(); }

  Device& device_;
  const data::Dataset& dataset_;
  std::unique_ptr<Stream> stream_;
  std::uint32_t steps_;
  std::vector<Rank> ranks_;
};

template <typename Exchange>
Trajectory SerialRanks::train_together(Exchange exchange) {
  for (std::uint32_t step = 0; step < steps_; ++step) {
    for (int rank = 0; rank < size(); ++rank) make_gradient(rank);
    exchange();
    for (int rank = 0; rank < size(); ++rank) update(rank);
    note_gradient(0);
  }
  return trajectory(parameters(0));
}

// Settings of a case whose ranks each train on the mean loss of their own rows.
MlpSettings settings_with_own_means(const Case& what, measure::RunContext& context);

}  // namespace breakeven::verify
