// SPDX-License-Identifier: Apache-2.0
// Data parallelism with gradients applied one step late. Each rank holds the whole model and trains on its
// part of the batch. Each step applies the previous step's gradients; their all-reduce runs on a side stream
// during the whole forward and backward pass. The staleness is one step on every rank (Ho et al., "More
// Effective Distributed ML via a Stale Synchronous Parallel Parameter Server", NIPS 2013; the delay of
// Langford et al., "Slow Learners are Fast", NIPS 2009). The first step applies zero gradients.
#include <array>

#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

// Two gradient buffers take turns: while one is filled, the other is summed. The kind of a step says which
// buffer it fills.
class Stale final : public Strategy {
 public:
  explicit Stale(const StrategySetup& setup)
      : Strategy(setup, phases_of_step(setup.options, {Phase::exchange, Phase::optimizer})),
        side_stream_(setup.device) {}

  std::uint32_t kinds() const override { return 2; }
  std::uint32_t kind_of(std::uint32_t step) const override { return step % 2; }

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
            Stream& stream) override {
    make_buffers(mlp);
    const std::span<float> late = buffers_[1 - kind];
    Stream& exchange = side_stream_.from(stream);
    mlp.state().place_gradients(buffers_[kind]);
    enqueue_forward(mlp, source, marks, stream);
    mlp.backward([](std::size_t) {}, stream);
    marks.end_of(Phase::backward, stream);
    // Enqueued after the backward pass: a transport that blocks the host would otherwise delay that.
    communicator().all_reduce_sum(late.data(), late.size(), exchange);
    side_stream_.join(stream);
    marks.end_of(Phase::exchange, stream);
    mlp.state().place_gradients(late);
    mlp.state().forget_overflow(stream);  // it is of this rank's new gradients, which are not applied yet
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  // The gradients that the step applied.
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t kind) const override {
    if (rank() != 0) return {};
    return {buffers_[0].empty() ? mlp.gradients() : buffers_[1 - kind]};
  }

 private:
  void make_buffers(model::Mlp& mlp) {
    if (!buffers_[0].empty()) return;
    second_ = Buffer(device(), mlp.gradients().size_bytes(), false, "gradients of the previous step");
    buffers_ = {mlp.gradients(), {second_.as<>(), mlp.gradients().size()}};
  }

  SideStream side_stream_;
  Buffer second_;
  std::array<std::span<float>, 2> buffers_;
};

}  // namespace

std::unique_ptr<Strategy> make_stale(const StrategySetup& setup) { return std::make_unique<Stale>(setup); }

}  // namespace breakeven::strategy
