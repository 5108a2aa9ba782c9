// SPDX-License-Identifier: Apache-2.0
// Tensor parallelism (Shoeybi et al., "Megatron-LM", 2019, section 3): every rank has a share of each layer's
// weights and sees the whole batch. No gradient is exchanged, so each layer's update is part of the backward
// phase; the sums of activations and of their gradients are.
#include "src/strategy/strategy.h"
#include "src/strategy/tensor_layers.h"

namespace breakeven {
namespace {

class Tensor final : public Strategy {
 public:
  explicit Tensor(const StrategySetup& setup)
      : Strategy(setup), layers_(setup.device, *setup.communicator, setup.whole, true) {}

  MlpSettings mlp_settings(const MlpSettings&) const override { return layers_.mlp_settings(); }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    const LayerProducts& products = mlp.products();
    const bool fused = mlp.settings().optimizer == OptimizerKind::adam;
    layers_.load_and_forward(mlp, source, marks, stream);
    layers_.backward(
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

  std::span<const Phase> phases() const override { return layers_.phases(); }

  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override {
    layers_.gather_parameters(mlp, whole, stream);
  }
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t) const override {
    return layers_.own_gradients(mlp);
  }

 private:
  TensorLayers layers_;
};

}  // namespace

std::unique_ptr<Strategy> make_tensor(const StrategySetup& setup) { return std::make_unique<Tensor>(setup); }

}  // namespace breakeven
