// SPDX-License-Identifier: Apache-2.0
// Synchronous parameter server (Li et al., "Scaling Distributed Machine Learning with the Parameter Server",
// OSDI 2014). Each rank holds the whole model and trains on its part of the batch. A reduce brings the summed
// gradients to rank 0, which is also a worker. Rank 0 alone updates, and broadcasts the new parameters. Rank
// 0's traffic grows with the number of ranks; an all-reduce shares it among all ranks.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

class ParameterServer final : public Strategy {
 public:
  explicit ParameterServer(const StrategySetup& setup)
      : Strategy(setup, phases_of_step(setup.options, {Phase::exchange, Phase::optimizer, Phase::broadcast})),
        clip_(setup.device, setup.options) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(mlp, source, marks, stream);
    mlp.backward([](std::size_t) {}, stream);
    marks.end_of(Phase::backward, stream);
    communicator().reduce_sum(mlp.gradients().data(), mlp.gradients().size(), root, stream);
    marks.end_of(Phase::exchange, stream);
    const bool serves = rank() == root;
    if (serves) {
      clip_.apply(mlp.state(), stream);
      mlp.update(stream);
    }
    marks.end_of(Phase::optimizer, stream);
    const std::span<float> served = mlp.state().parameters_and_state();
    communicator().broadcast(served.data(), served.size(), root, stream);
    if (!serves) mlp.state().take_parameters(stream);
    marks.end_of(Phase::broadcast, stream);
  }

 private:
  static constexpr int root = 0;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_parameter_server(const StrategySetup& setup) {
  return std::make_unique<ParameterServer>(setup);
}

}  // namespace breakeven::strategy
