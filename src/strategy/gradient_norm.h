// SPDX-License-Identifier: Apache-2.0
// The norm of the global batch's gradient, by which it is clipped.
#pragma once

#include <cstddef>
#include <optional>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/strategy/gradient_costs.h"
#include "src/model/model_state.h"

namespace breakeven {

class GradientNorm {
 public:
  // `sharded_over` is null where the rank has the whole gradient. Otherwise all of its ranks measure
  // together: one message of squares_bytes.
  GradientNorm(Device& device, std::size_t buckets, Communicator* sharded_over);

  // Of the gradients that are there for the update. Every rank gets the same bits.
  void measure(ModelState& state, Stream& stream);
  // Then: the gradients of this rank's parts, as they are in a gradient whose norm is at most `limit`.
  void clip(ModelState& state, float limit, Stream& stream);

 private:
  Device& device_;
  std::size_t buckets_;
  Communicator* communicator_;
  Buffer squares_;  // [rank, bucket], double
  Buffer total_;
};

// clip=NORM where every rank that updates has the whole gradient; nothing where it is not asked for.
class WholeGradientClip {
 public:
  WholeGradientClip(Device& device, const StrategyOptions& options) : limit_(options.clip_norm) {
    if (limit_ > 0) norm_.emplace(device, 1, nullptr);
  }
  void apply(ModelState& state, Stream& stream) {
    if (!norm_) return;
    norm_->measure(state, stream);
    norm_->clip(state, limit_, stream);
  }

 private:
  float limit_;
  std::optional<GradientNorm> norm_;
};

}  // namespace breakeven
