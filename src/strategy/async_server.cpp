// SPDX-License-Identifier: Apache-2.0
// Rank 0's host memory serves the parameters, and no rank waits for another: each pulls them, trains one step
// on its part of the batch, and pushes what the step has changed, which is added to whatever the others have
// made of them meanwhile (Dean et al., "Large Scale Distributed Deep Networks", NIPS 2012, section 4.1,
// Downpour SGD; added without a lock over the whole, as in Recht et al., "Hogwild!", NIPS 2011). Each rank's
// optimizer has its own moments, so what is pushed is the rank's update rather than its gradient.
#include <array>

#include "mpi/mpi_call.h"
#include "mpi/served_parameters.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

class AsyncServer final : public Strategy {
 public:
  using Strategy::Strategy;

  ReplicaSettings replica_settings(const ReplicaSettings& whole) const override {
    return settings_of_own_batch(whole);
  }

  std::span<const Phase> phases() const override { return order; }

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    open(replica, stream);
    marks.begin(stream);
    const std::uint64_t pulled = pull(replica, stream);
    marks.end_of(Phase::broadcast, stream);
    replica.load_batch(source, stream);
    marks.end_of(Phase::input, stream);
    replica.forward(stream);
    marks.end_of(Phase::forward, stream);
    replica.backward_and_update(stream);
    marks.end_of(Phase::backward, stream);
    take_change(replica, stream);
    marks.end_of(Phase::collect, stream);
    const std::uint64_t before = served_->push(changed_.as<>());
    communicator().count_call(replica.parameters().size());
    updates_.push_back({pulled, before});
    marks.end_of(Phase::exchange, stream);
  }

  // The served ones, once all ranks have pushed.
  void gather_parameters(Replica& replica, std::span<float> whole, Stream& stream) override {
    wait_for_all_pushes();
    pull(replica, stream);
    Strategy::gather_parameters(replica, whole, stream);
    stream.synchronize();
  }

  // Each rank's is that of a batch of its own.
  std::vector<std::span<const float>> own_gradients(Replica& replica, std::uint32_t) const override {
    return {replica.gradients()};
  }

  std::span<const ServedUpdate> served_updates() const override { return updates_; }

  std::optional<std::uint64_t> updates_arrived() override {
    wait_for_all_pushes();
    return served_->arrived();
  }

 private:
  static constexpr int server = 0;

  // Collective, in the first step.
  void open(Replica& replica, Stream& stream) {
    if (served_ != nullptr) return;
    const std::span<const float> parameters = replica.parameters();
    pulled_ = Buffer(device(), parameters.size_bytes(), true, "parameters as they were pulled");
    changed_ = Buffer(device(), parameters.size_bytes(), true, "change of the parameters");
    device().copy(pulled_.as<>(), parameters.data(), parameters.size_bytes(), stream);
    stream.synchronize();
    served_ =
        std::make_unique<ServedParameters>(communicator().group(), server, pulled_.as<>(), parameters.size());
  }

  std::uint64_t pull(Replica& replica, Stream& stream) {
    const std::span<float> parameters = replica.parameters();
    const std::uint64_t updates = served_->pull(pulled_.as<>());
    communicator().count_call(parameters.size());
    device().copy(parameters.data(), pulled_.as<>(), parameters.size_bytes(), stream);
    replica.state().take_parameters(stream);
    return updates;
  }

  // On the host: waits for the step.
  void take_change(Replica& replica, Stream& stream) {
    const std::span<const float> parameters = replica.parameters();
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

StrategyPromise async_server_promise(const StrategyOptions&) {
  return {.exact = false, .repeatable = false, .definition_bits = false};
}

// A pull and a push.
std::vector<Message> async_server_messages(const StrategyOptions&, const ReplicaSettings& whole, int,
                                           int ranks) {
  return {{Collective::one_sided, ParameterLayout(whole.shape).floats() * sizeof(float), ranks, 2}};
}

std::unique_ptr<Strategy> make_async_server(const StrategySetup& setup) {
  return std::make_unique<AsyncServer>(setup);
}

}  // namespace breakeven
