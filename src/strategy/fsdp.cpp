// SPDX-License-Identifier: Apache-2.0
// Data parallelism in which a rank has its share of everything alone, parameters, gradients and moments: the
// third stage of Rajbhandari et al., "ZeRO", SC 2020, section 5.3, layer by layer as in Zhao et al., "PyTorch
// FSDP", VLDB 2023, section 3. A layer's weights are gathered for the forward pass and again for the backward
// pass, each beside the work on the layer before; their memory is used by turns, so that two layers have
// theirs at a time. The last two still have them when the backward pass begins.
#include "src/core/strategy/sharding.h"
#include "src/strategy/sharded_strategy.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Fsdp final : public ShardedStrategy {
 public:
  explicit Fsdp(const StrategySetup& setup) : ShardedStrategy(setup, fsdp_sharding) {
    for (auto& event : gathered_) event = setup.device.make_event();
  }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    ModelState& state = mlp.state();
    marks.begin(stream);
    gather(state, 0, stream);
    mlp.load_batch(source, stream);
    marks.end_of(Phase::input, stream);
    mlp.forward(forward_hook(state, stream), stream);
    marks.end_of(Phase::forward, stream);
    backward_during_scatter(mlp, backward_hook(state, stream), stream);
    marks.end_of(Phase::backward, stream);
    side_stream().join(stream);
    agree_on_gradient(state, stream);
    marks.end_of(Phase::exchange, stream);
    update_own(mlp, stream);
    marks.end_of(Phase::optimizer, stream);
    gather_biases(state, stream);
    marks.end_of(Phase::broadcast, stream);
  }

  ConstMatrix predict(Mlp& mlp, Stream& stream) override {
    gather(mlp.state(), 0, stream);
    const ConstMatrix outputs = mlp.predict(forward_hook(mlp.state(), stream), stream);
    side_stream().join(stream);
    return outputs;
  }

  std::span<const Phase> phases() const override { return order; }

 private:
  // On the stream beside, after all that `stream` has by now: the last reader of the same memory among it.
  void gather(ModelState& state, std::size_t layer, Stream& stream) {
    Stream& aside = side_stream().from(stream);
    gather_weights(state, bucket_of(state, layer), aside);
    gathered_[layer % 2]->record(aside);
  }
  // A layer is a bucket, and the last layer is the first.
  static std::size_t bucket_of(const ModelState& state, std::size_t layer) {
    return state.buckets().size() - 1 - layer;
  }

  Mlp::LayerHook forward_hook(ModelState& state, Stream& stream) {
    return [this, &state, &stream](std::size_t layer) {
      if (layer + 1 < state.buckets().size()) gather(state, layer + 1, stream);
      stream.wait_for(*gathered_[layer % 2]);
    };
  }
  Mlp::LayerHook backward_hook(ModelState& state, Stream& stream) {
    return [this, &state, &stream](std::size_t layer) {
      const std::size_t layers = state.buckets().size();
      if (layer > 0 && is_gathered_again(layer - 1, layers)) gather(state, layer - 1, stream);
      if (is_gathered_again(layer, layers)) stream.wait_for(*gathered_[layer % 2]);
    };
  }

  static constexpr std::array order{Phase::input,    Phase::forward,   Phase::backward,
                                    Phase::exchange, Phase::optimizer, Phase::broadcast};
  std::array<std::unique_ptr<Event>, 2> gathered_;  // by the layer's turn
};

}  // namespace

std::unique_ptr<Strategy> make_fsdp(const StrategySetup& setup) { return std::make_unique<Fsdp>(setup); }

}  // namespace breakeven
