// SPDX-License-Identifier: Apache-2.0
// Rank 0's host memory serves the parameters, and no rank waits for another: each pulls them, trains one step
// on its part of the batch, and pushes what the step has changed, which is added to whatever the others have
// made of them meanwhile (Dean et al., "Large Scale Distributed Deep Networks", NIPS 2012, section 4.1,
// Downpour SGD; added without a lock over the whole, as in Recht et al., "Hogwild!", NIPS 2011). Each rank's
// optimizer has its own moments, so what is pushed is the rank's update rather than its gradient.
#include <array>

#include "mpi/mpi_call.h"
#include "mpi/served_parameters.h"
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class AsyncServer final : public Strategy {
 public:
  using Strategy::Strategy;

  MlpSettings mlp_settings(const MlpSettings& whole) const override { return settings_of_own_batch(whole); }

  std::span<const Phase> phases() const override { return order; }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    open(mlp, stream);
    marks.begin(stream);
    const std::uint64_t pulled = pull(mlp, stream);
    marks.end_of(Phase::broadcast, stream);
    mlp.load_batch(source, stream);
    marks.end_of(Phase::input, stream);
    mlp.forward(stream);
    marks.end_of(Phase::forward, stream);
    mlp.backward_and_update(stream);
    marks.end_of(Phase::backward, stream);
    take_change(mlp, stream);
    marks.end_of(Phase::collect, stream);
    const std::uint64_t before = served_->push(changed_.as<>());
    communicator().count_call(mlp.parameters().size());
    updates_.push_back({pulled, before});
    marks.end_of(Phase::exchange, stream);
  }

  // The served ones, once all ranks have pushed.
  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override {
    wait_for_all_pushes();
    pull(mlp, stream);
    Strategy::gather_parameters(mlp, whole, stream);
    stream.synchronize();
  }

  // Each rank's is that of a batch of its own.
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t) const override {
    return {mlp.gradients()};
  }

  std::span<const ServedUpdate> served_updates() const override { return updates_; }

  std::optional<std::uint64_t> updates_arrived() override {
    wait_for_all_pushes();
    return served_->arrived();
  }

 private:
  static constexpr int server = 0;

  // Collective, in the first step.
  void open(Mlp& mlp, Stream& stream) {
    if (served_ != nullptr) return;
    const std::span<const float> parameters = mlp.parameters();
    pulled_ = Buffer(device(), parameters.size_bytes(), true, "pulled parameters");
    changed_ = Buffer(device(), parameters.size_bytes(), true, "update to push");
    device().copy(pulled_.as<>(), parameters.data(), parameters.size_bytes(), stream);
    stream.synchronize();
    served_ =
        std::make_unique<ServedParameters>(communicator().group(), server, pulled_.as<>(), parameters.size());
  }

  std::uint64_t pull(Mlp& mlp, Stream& stream) {
    const std::span<float> parameters = mlp.parameters();
    const std::uint64_t updates = served_->pull(pulled_.as<>());
    communicator().count_call(parameters.size());
    device().copy(parameters.data(), pulled_.as<>(), parameters.size_bytes(), stream);
    mlp.state().take_parameters(stream);
    return updates;
  }

  // On the host: waits for the step.
  void take_change(Mlp& mlp, Stream& stream) {
    const std::span<const float> parameters = mlp.parameters();
    device().copy(changed_.as<>(), parameters.data(), parameters.size_bytes(), stream);
    stream.synchronize();
    const float* const before = pulled_.as<>();
    float* const change = changed_.as<>();
    for (std::size_t i = 0; i < parameters.size(); ++i) change[i] -= before[i];
  }

  void wait_for_all_pushes() { MPI_CALL(MPI_Barrier(communicator().group())); }

  static constexpr std::array order{Phase::broadcast, Phase::input,   Phase::forward,
                                    Phase::backward,  Phase::collect, Phase::exchange};
  std::unique_ptr<ServedParameters> served_;
  Buffer pulled_;  // both in pinned host memory
  Buffer changed_;
  std::vector<ServedUpdate> updates_;  // [step]
};

}  // namespace

std::unique_ptr<Strategy> make_async_server(const StrategySetup& setup) {
  return std::make_unique<AsyncServer>(setup);
}

}  // namespace breakeven
