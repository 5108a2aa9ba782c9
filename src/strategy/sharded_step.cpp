// SPDX-License-Identifier: Apache-2.0
// zero1: data parallelism in which every rank makes the update of its share of the parameters alone, and has
// the moments of that share alone: the first stage of Rajbhandari et al., "ZeRO", SC 2020, section 5.1. The
// gradients reach their owners by a reduce-scatter, the new parameters all ranks by an all-gather: together
// what an all-reduce moves. In 16 bits the working copy is what travels back.
//
// zero2: and of the gradients, too, a rank keeps its share alone (section 5.2). Each bucket's gradients are
// made in memory that the bucket after the next uses again, and are reduce-scattered from there beside the
// rest of the backward pass.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/sharded_strategy.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Zero final : public ShardedStrategy {
 public:
  Zero(const StrategySetup& setup, const Sharding& sharding)
      : ShardedStrategy(setup, sharding),
        overlaps_(sharding.level == Sharded::gradients || setup.options.bucket_bytes > 0),
        phases_(phases_of_step(setup.options, {Phase::exchange, Phase::optimizer, Phase::broadcast})) {}

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    enqueue_forward(mlp, source, marks, stream);
    ModelState& state = mlp.state();
    if (overlaps_) {
      backward_during_scatter(mlp, Mlp::no_hook, stream);
      marks.end_of(Phase::backward, stream);
      side_stream().join(stream);
    } else {
      mlp.backward(Mlp::no_hook, stream);
      marks.end_of(Phase::backward, stream);
      scatter_gradients(state, 0, stream);
    }
    agree_on_gradient(state, stream);
    marks.end_of(Phase::exchange, stream);
    update_own(mlp, stream);
    marks.end_of(Phase::optimizer, stream);
    for (std::size_t b = 0; b < state.buckets().size(); ++b) gather_weights(state, b, stream);
    gather_biases(state, stream);
    marks.end_of(Phase::broadcast, stream);
  }

  std::span<const Phase> phases() const override { return phases_; }

 private:
  bool overlaps_;
  std::vector<Phase> phases_;
};

}  // namespace

std::unique_ptr<Strategy> make_zero(const StrategySetup& setup, const Sharding& sharding) {
  return std::make_unique<Zero>(setup, sharding);
}

}  // namespace breakeven
