// SPDX-License-Identifier: Apache-2.0
// Checks of the gradient between its exchange and the update: clipping by the norm, and fp16 overflow.
#pragma once

#include <cstddef>
#include <optional>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/strategy/strategy_options.h"
#include "src/model/model_state.h"

namespace breakeven::strategy {

// The norm of the global batch's gradient, and clipping by it.
class GradientNorm {
 public:
  // `sharded_over` is null if this rank has the whole gradient. Otherwise its ranks measure together, by one
  // all-gather of squares_bytes.
  GradientNorm(Device& device, std::size_t buckets, Communicator* sharded_over);

  // Measures the gradient that the update will use. Every rank gets the same bits.
  void measure(model::ModelState& state, Stream& stream);
  // After measure(): scales this rank's parts so that the norm of the whole gradient is at most `limit`.
  void clip(model::ModelState& state, float limit, Stream& stream);

 private:
  Device& device_;
  std::size_t buckets_;
  Communicator* communicator_;
  Buffer squares_;  // [rank, bucket], double
  Buffer total_;
};

// The option clip=NORM for strategies in which each updating rank has the whole gradient. Without the option
// it does nothing.
class WholeGradientClip {
 public:
  WholeGradientClip(Device& device, const StrategyOptions& options) : limit_(options.clip_norm) {
    if (limit_ > 0) norm_.emplace(device, 1, nullptr);
  }
  void apply(model::ModelState& state, Stream& stream) {
    if (!norm_) return;
    norm_->measure(state, stream);
    norm_->clip(state, limit_, stream);
  }

 private:
  float limit_;
  std::optional<GradientNorm> norm_;
};

// Makes ranks that each update a part of the model skip an overflowed fp16 step together. After agree(),
// every rank of the group knows whether any rank has overflowed; no update may come earlier. Exchanges one
// float, and only if the precision can overflow.
class OverflowAgreement {
 public:
  OverflowAgreement(Device& device, Communicator& group, Precision precision);
  bool is_needed() const { return is_needed_; }
  void agree(StepState* state, Stream& stream);
  // The same, after looking for overflow in the gradients that this rank will use.
  void agree(model::ModelState& state, Stream& stream);

 private:
  Device& device_;
  Communicator& group_;
  bool is_needed_;
  Buffer value_;
};

}  // namespace breakeven::strategy
