// SPDX-License-Identifier: Apache-2.0
// The baseline: one GPU and nothing that exists for the sake of others. As 'independent' every rank does the
// same, and none knows of another.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/gradient_norm.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

// Without updates_apart() nothing stands between a gradient and its use, so each layer's update is part of
// the backward phase.
class Single final : public Strategy {
 public:
  explicit Single(const StrategySetup& setup)
      : Strategy(setup),
        updates_apart_(updates_apart(setup.options)),
        phases_(updates_apart_ ? phases_of_step(setup.options, {Phase::optimizer})
                               : phases_of_step(setup.options, {})),
        clip_(setup.device, setup.options) {}

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    enqueue_forward(mlp, source, marks, stream);
    if (!updates_apart_) {
      mlp.backward_and_update(stream);
      return marks.end_of(Phase::backward, stream);
    }
    mlp.backward(Mlp::no_hook, stream);
    marks.end_of(Phase::backward, stream);
    clip_.apply(mlp.state(), stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return phases_; }

  bool whole_steps(Mlp& mlp, const BatchSource& source, std::uint32_t count, Stream& stream) override {
    return !updates_apart_ && mlp.whole_steps(source, count, stream);
  }

 private:
  bool updates_apart_;
  std::vector<Phase> phases_;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_single(const StrategySetup& setup) { return std::make_unique<Single>(setup); }

}  // namespace breakeven
