// SPDX-License-Identifier: Apache-2.0
// The baseline: one GPU and nothing that exists for the sake of others. As 'independent' every rank does the
// same, and none knows of another.
#include <array>

#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

// Nothing stands between a gradient and its use, so each layer's update is part of the backward phase.
class Single final : public Strategy {
 public:
  using Strategy::Strategy;

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    replica.backward_and_update(stream);
    marks.end_of(Phase::backward, stream);
  }

  std::span<const Phase> phases() const override { return order; }

  bool whole_steps(Replica& replica, const BatchSource& source, std::uint32_t count,
                   Stream& stream) override {
    return replica.whole_steps(source, count, stream);
  }

 private:
  static constexpr std::array order{Phase::input, Phase::forward, Phase::backward};
};

}  // namespace

// Its update is fused into its products, the definition's is not.
StrategyPromise single_promise(const StrategyOptions&) { return {.definition_bits = false}; }

std::unique_ptr<Strategy> make_single(const StrategySetup& setup) { return std::make_unique<Single>(setup); }

}  // namespace breakeven
