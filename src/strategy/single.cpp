// SPDX-License-Identifier: Apache-2.0
// The baseline: one GPU holds the whole model and trains on the whole batch. Nothing is exchanged.
//
// If nothing has to happen between a gradient and its use (no clipping, micro-batches or checkpointing: see
// updates_apart), each layer's update is part of the backward phase, and a small network's steps are fused.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

class Single final : public Strategy {
 public:
  explicit Single(const StrategySetup& setup)
      : Strategy(setup, updates_apart(setup.options) ? phases_of_step(setup.options, {Phase::optimizer})
                                                     : phases_of_step(setup.options, {})),
        updates_apart_(updates_apart(setup.options)),
        clip_(setup.device, setup.options) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(mlp, source, marks, stream);
    if (!updates_apart_) {
      mlp.backward_and_update(stream);
      return marks.end_of(Phase::backward, stream);
    }
    mlp.backward(model::Mlp::no_hook, stream);
    marks.end_of(Phase::backward, stream);
    clip_.apply(mlp.state(), stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  bool whole_steps(model::Mlp& mlp, const BatchSource& source, std::uint32_t count, Stream& stream) override {
    return !updates_apart_ && mlp.whole_steps(source, count, stream);
  }

 private:
  bool updates_apart_;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_single(const StrategySetup& setup) { return std::make_unique<Single>(setup); }

}  // namespace breakeven::strategy
