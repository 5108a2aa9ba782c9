// SPDX-License-Identifier: Apache-2.0
// One rank serves the parameters: it collects the sum of all gradients, makes the update, and sends the new
// parameters back. The form in which data parallelism began (Li et al., "Scaling Distributed Machine Learning
// with the Parameter Server", OSDI 2014), here with the server among the workers. What the root has to take
// in and send out grows with every rank, where an all-reduce shares that among all.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/gradient_norm.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class ParameterServer final : public Strategy {
 public:
  explicit ParameterServer(const StrategySetup& setup)
      : Strategy(setup),
        phases_(phases_of_step(setup.options, {Phase::exchange, Phase::optimizer, Phase::broadcast})),
        clip_(setup.device, setup.options) {}

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
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

  std::span<const Phase> phases() const override { return phases_; }

 private:
  static constexpr int root = 0;
  std::vector<Phase> phases_;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_parameter_server(const StrategySetup& setup) {
  return std::make_unique<ParameterServer>(setup);
}

}  // namespace breakeven
