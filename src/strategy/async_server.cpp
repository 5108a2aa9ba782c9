// SPDX-License-Identifier: Apache-2.0
// Asynchronous parameter server (Dean et al., "Large Scale Distributed Deep Networks", NIPS 2012,
// section 4.1, Downpour SGD). Rank 0's host memory holds the parameters; no rank waits for another. In each
// step a rank pulls the parameters, trains on its part of the batch, and pushes the change of the parameters,
// by one-sided MPI. The change is added to whatever the other ranks have pushed meanwhile, without a lock
// (Recht et al., "Hogwild!", NIPS 2011). Each rank's optimizer has its own moments, so ranks push updates
// rather than gradients.
#include "mpi/mpi_call.h"
#include "mpi/served_parameters.h"
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

class AsyncServer final : public Strategy {
 public:
  explicit AsyncServer(const StrategySetup& setup)
      : Strategy(setup, {Phase::broadcast, Phase::input, Phase::forward, Phase::backward, Phase::collect,
                         Phase::exchange}) {}

  MlpSettings mlp_settings(const MlpSettings& whole) const override { return settings_of_own_batch(whole); }

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    open(mlp, stream);
    marks.begin(stream);
    const ServedParameters::Pull pulled = pull(mlp, stream);
    if (mlp.settings().keep_evidence)
      reads_.emplace_back(pulled_.as<>(), pulled_.as<>() + mlp.parameters().size());
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
    updates_.push_back({pulled.begun_before, pulled.begun_after, before});
    marks.end_of(Phase::exchange, stream);
  }

  // The server's parameters, once all ranks have pushed.
  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override {
    wait_for_all_pushes();
    pull(mlp, stream);
    Strategy::gather_parameters(mlp, whole, stream);
    stream.synchronize();
  }

  // Each rank trains on a batch of its own.
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t) const override {
    return {mlp.gradients()};
  }

  std::span<const ServedUpdate> served_updates() const override { return updates_; }
  std::span<const std::vector<float>> served_reads() const override { return reads_; }

  std::optional<std::uint64_t> updates_arrived() override {
    wait_for_all_pushes();
    return served_->arrived();
  }

 private:
  static constexpr int server = 0;

  // In the first step. Collective over the ranks.
  void open(model::Mlp& mlp, Stream& stream) {
    if (served_ != nullptr) return;
    const std::span<const float> parameters = mlp.parameters();
    pulled_ = Buffer(device(), parameters.size_bytes(), true, "pulled parameters");
    changed_ = Buffer(device(), parameters.size_bytes(), true, "update to push");
    device().copy(pulled_.as<>(), parameters.data(), parameters.size_bytes(), stream);
    stream.synchronize();
    served_ =
        std::make_unique<ServedParameters>(communicator().group(), server, pulled_.as<>(), parameters.size());
  }

  ServedParameters::Pull pull(model::Mlp& mlp, Stream& stream) {
    const std::span<float> parameters = mlp.parameters();
    const ServedParameters::Pull updates = served_->pull(pulled_.as<>());
    communicator().count_call(parameters.size());
    device().copy(parameters.data(), pulled_.as<>(), parameters.size_bytes(), stream);
    mlp.state().take_parameters(stream);
    return updates;
  }

  // Waits for the step; computes the change on the host.
  void take_change(model::Mlp& mlp, Stream& stream) {
    const std::span<const float> parameters = mlp.parameters();
    device().copy(changed_.as<>(), parameters.data(), parameters.size_bytes(), stream);
    stream.synchronize();
    const float* const before = pulled_.as<>();
    float* const change = changed_.as<>();
    for (std::size_t i = 0; i < parameters.size(); ++i) change[i] -= before[i];
  }

  void wait_for_all_pushes() { MPI_CALL(MPI_Barrier(communicator().group())); }

  std::unique_ptr<ServedParameters> served_;
  Buffer pulled_;                          // pinned host memory
  Buffer changed_;                         // pinned host memory
  std::vector<ServedUpdate> updates_;      // [step]
  std::vector<std::vector<float>> reads_;  // [step], for verification
};

}  // namespace

std::unique_ptr<Strategy> make_async_server(const StrategySetup& setup) {
  return std::make_unique<AsyncServer>(setup);
}

}  // namespace breakeven::strategy
