// SPDX-License-Identifier: Apache-2.0
// FSDP, or ZeRO-3: fully sharded data parallelism (Rajbhandari et al., "ZeRO", SC 2020, section 5.3; layer by
// layer as in Zhao et al., "PyTorch FSDP", VLDB 2023, section 3). Each rank holds only its share of
// parameters, gradients and optimizer state. An all-gather brings each layer's weights for the forward pass,
// and again for the backward pass, on a side stream while the previous layer computes. A reduce-scatter sends
// each layer's summed gradients to their owners.
//
// Two buffers of gathered weights take turns, so two layers have their weights at a time. The last two layers
// still have theirs when the backward pass begins, so they are not gathered again.
#include "src/core/strategy/sharding.h"
#include "src/strategy/sharded_strategy.h"

namespace breakeven::strategy {
namespace {

class Fsdp final : public ShardedStrategy {
 public:
  explicit Fsdp(const StrategySetup& setup)
      : ShardedStrategy(setup, fsdp_sharding,
                        {Phase::input, Phase::forward, Phase::backward, Phase::exchange, Phase::optimizer,
                         Phase::broadcast}) {
    for (auto& event : gathered_) event = setup.device.make_event();
  }

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    model::ModelState& state = mlp.state();
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

  ConstMatrix predict(model::Mlp& mlp, Stream& stream) override {
    gather(mlp.state(), 0, stream);
    const ConstMatrix outputs = mlp.predict(forward_hook(mlp.state(), stream), stream);
    side_stream().join(stream);
    return outputs;
  }

 private:
  // Gathers a layer's weights on the side stream, after everything that `stream` holds by now. That includes
  // the last reader of the same buffer.
  void gather(model::ModelState& state, std::size_t layer, Stream& stream) {
    Stream& side = side_stream().from(stream);
    gather_weights(state, bucket_of(state, layer), side);
    gathered_[layer % 2]->record(side);
  }
  // Each layer is a bucket; the last layer is bucket 0.
  static std::size_t bucket_of(const model::ModelState& state, std::size_t layer) {
    return state.buckets().size() - 1 - layer;
  }

  model::Mlp::LayerHook forward_hook(model::ModelState& state, Stream& stream) {
    return [this, &state, &stream](std::size_t layer) {
      if (layer + 1 < state.buckets().size()) gather(state, layer + 1, stream);
      stream.wait_for(*gathered_[layer % 2]);
    };
  }
  model::Mlp::LayerHook backward_hook(model::ModelState& state, Stream& stream) {
    return [this, &state, &stream](std::size_t layer) {
      const std::size_t layers = state.buckets().size();
      if (layer > 0 && is_gathered_again(layer - 1, layers)) gather(state, layer - 1, stream);
      if (is_gathered_again(layer, layers)) stream.wait_for(*gathered_[layer % 2]);
    };
  }

  std::array<std::unique_ptr<Event>, 2> gathered_;  // [layer % 2]: the layer's weights have arrived
};

}  // namespace

std::unique_ptr<Strategy> make_fsdp(const StrategySetup& setup) { return std::make_unique<Fsdp>(setup); }

}  // namespace breakeven::strategy
