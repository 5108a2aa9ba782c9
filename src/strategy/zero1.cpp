// SPDX-License-Identifier: Apache-2.0
// ZeRO-1: data parallelism with sharded optimizer state (Rajbhandari et al., "ZeRO", SC 2020, section 5.1).
// Each rank holds all parameters and gradients, but the optimizer state of its share only. A reduce-scatter
// sends the summed gradients to their owners, each rank updates its share, and an all-gather sends the new
// parameters to all ranks: together as many bytes as one all-reduce. In bf16 and fp16 the 16-bit weights are
// gathered. With `buckets`, the reduce-scatters run during the backward pass. zero2 runs the same step. Where
// the transport can, exchange, update and gathering of weights are one kernel in the phase `exchange`.
#include "src/core/strategy/kept_activations.h"
#include "src/core/strategy/sharding.h"
#include "src/strategy/sharded_strategy.h"

namespace breakeven::strategy {
namespace {

class Zero final : public ShardedStrategy {
 public:
  Zero(const StrategySetup& setup, const Sharding& sharding)
      : ShardedStrategy(setup, sharding,
                        phases_of_step(setup.options, {Phase::exchange, Phase::optimizer, Phase::broadcast})),
        overlaps_(sharding.level == Sharded::gradients || setup.options.bucket_bytes > 0) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(mlp, source, marks, stream);
    model::ModelState& state = mlp.state();
    if (overlaps_) {
      backward_during_scatter(mlp, model::Mlp::no_hook, stream);
    } else {
      mlp.backward(model::Mlp::no_hook, stream);
    }
    marks.end_of(Phase::backward, stream);
    if (!overlaps_ && updates_shares_at_once(state, stream)) {
      marks.end_of(Phase::exchange, stream);
      marks.end_of(Phase::optimizer, stream);
    } else {
      if (overlaps_) {
        side_stream().join(stream);
      } else {
        scatter_gradients(state, 0, stream);
      }
      agree_on_gradient(state, stream);
      marks.end_of(Phase::exchange, stream);
      update_own(mlp, stream);
      marks.end_of(Phase::optimizer, stream);
      for (std::size_t b = 0; b < state.buckets().size(); ++b) gather_weights(state, b, stream);
    }
    gather_biases(state, stream);
    marks.end_of(Phase::broadcast, stream);
  }

 private:
  bool overlaps_;
};

}  // namespace

std::unique_ptr<Strategy> make_zero(const StrategySetup& setup, const Sharding& sharding) {
  return std::make_unique<Zero>(setup, sharding);
}

std::unique_ptr<Strategy> make_zero1(const StrategySetup& setup) {
  return make_zero(setup, zero1_sharding(setup.options));
}

}  // namespace breakeven::strategy
