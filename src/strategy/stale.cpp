// SPDX-License-Identifier: Apache-2.0
// Data parallelism one step late: what a step's update applies are the gradients of the step before, whose
// exchange has had the whole forward and backward pass to hide behind. Staleness is bounded by one, and the
// same for all ranks (Ho et al., "More Effective Distributed ML via a Stale Synchronous Parallel Parameter
// Server", NIPS 2013; the delay of Langford et al., "Slow Learners are Fast", NIPS 2009). The first step
// applies zero.
#include <array>

#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

// Gradients lie in two buffers in turn: while one is filled, the other is summed. The kind of a step is the
// buffer that it fills.
class Stale final : public Strategy {
 public:
  explicit Stale(const StrategySetup& setup)
      : Strategy(setup),
        phases_(phases_of_step(setup.options, {Phase::exchange, Phase::optimizer})),
        side_stream_(setup.device) {}

  std::span<const Phase> phases() const override { return phases_; }
  std::uint32_t kinds() const override { return 2; }
  std::uint32_t kind_of(std::uint32_t step) const override { return step % 2; }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
            Stream& stream) override {
    make_buffers(mlp);
    const std::span<float> late = buffers_[1 - kind];
    Stream& exchange = side_stream_.from(stream);
    mlp.state().place_gradients(buffers_[kind]);
    enqueue_forward(mlp, source, marks, stream);
    mlp.backward([](std::size_t) {}, stream);
    marks.end_of(Phase::backward, stream);
    // Enqueued last: a transport that makes the host wait would else keep the step from being enqueued.
    communicator().all_reduce_sum(late.data(), late.size(), exchange);
    side_stream_.join(stream);
    marks.end_of(Phase::exchange, stream);
    mlp.state().place_gradients(late);
    mlp.state().forget_overflow(stream);  // of gradients that are not applied yet, and of this rank alone
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  // What was applied.
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t kind) const override {
    if (rank() != 0) return {};
    return {buffers_[0].empty() ? mlp.gradients() : buffers_[1 - kind]};
  }

 private:
  void make_buffers(Mlp& mlp) {
    if (!buffers_[0].empty()) return;
    second_ = Buffer(device(), mlp.gradients().size_bytes(), false, "gradients of the previous step");
    buffers_ = {mlp.gradients(), {second_.as<>(), mlp.gradients().size()}};
  }

  std::vector<Phase> phases_;
  SideStream side_stream_;
  Buffer second_;
  std::array<std::span<float>, 2> buffers_;
};

}  // namespace

std::unique_ptr<Strategy> make_stale(const StrategySetup& setup) { return std::make_unique<Stale>(setup); }

}  // namespace breakeven
