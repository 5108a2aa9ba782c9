// SPDX-License-Identifier: Apache-2.0
// The baseline: one GPU and nothing that exists for the sake of others. As 'independent' every rank does the
// same, and none knows of another.
#include <array>

#include "src/strategy/gradient_norm.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

// Nothing stands between a gradient and its use, so each layer's update is part of the backward phase; unless
// the gradient has to be there as a whole first, to be clipped.
class Single final : public Strategy {
 public:
  explicit Single(const StrategySetup& setup)
      : Strategy(setup), updates_apart_(setup.options.clip_norm > 0), clip_(setup.device, setup.options) {}

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    if (!updates_apart_) {
      replica.backward_and_update(stream);
      return marks.end_of(Phase::backward, stream);
    }
    replica.backward(Replica::no_hook, stream);
    marks.end_of(Phase::backward, stream);
    clip_.apply(replica.state(), stream);
    replica.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override {
    return updates_apart_ ? std::span<const Phase>(order_apart) : std::span<const Phase>(order);
  }

  bool whole_steps(Replica& replica, const BatchSource& source, std::uint32_t count,
                   Stream& stream) override {
    return !updates_apart_ && replica.whole_steps(source, count, stream);
  }

 private:
  static constexpr std::array order{Phase::input, Phase::forward, Phase::backward};
  static constexpr std::array order_apart{Phase::input, Phase::forward, Phase::backward, Phase::optimizer};
  bool updates_apart_;
  WholeGradientClip clip_;
};

}  // namespace

// Its update is fused into its products, the definition's is not.
StrategyPromise single_promise(const StrategyOptions&) { return {.definition_bits = false}; }

std::unique_ptr<Strategy> make_single(const StrategySetup& setup) { return std::make_unique<Single>(setup); }

}  // namespace breakeven
