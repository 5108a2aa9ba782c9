// SPDX-License-Identifier: Apache-2.0
// Tensor parallelism (Shoeybi et al., "Megatron-LM", 2019, section 3). Each rank holds a share of every
// layer's weights, with their gradients and optimizer state, and computes on the whole batch. An all-reduce
// sums partial activations in the forward pass and partial gradients of activations in the backward pass. No
// weight gradient is exchanged, so the update is part of the backward phase.
#include "src/strategy/tensor_layers.h"

namespace breakeven::strategy {
namespace {

class Tensor final : public SplitStrategy {
 public:
  explicit Tensor(const StrategySetup& setup)
      : SplitStrategy(
            setup, std::make_unique<TensorLayers>(setup.device, *setup.communicator, setup.whole, true), {}) {
  }

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    const model::LayerProducts& products = mlp.products();
    const bool fused = mlp.settings().optimizer == OptimizerKind::adam;
    auto& layers = static_cast<TensorLayers&>(split());
    layers.load_and_forward(mlp, source, marks, stream);
    layers.backward(
        mlp,
        [&](std::size_t layer) { return fused ? products.update(layer) : products.weight_gradient(layer); },
        marks, stream);
    if (fused) {
      mlp.state().end_step(stream);
    } else {
      mlp.update(stream);
    }
    marks.end_of(Phase::backward, stream);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_tensor(const StrategySetup& setup) { return std::make_unique<Tensor>(setup); }

}  // namespace breakeven::strategy
