// SPDX-License-Identifier: Apache-2.0
// Data parallelism: every rank holds the whole model and a part of the batch; the sum of the ranks' gradients
// is the gradient of the whole batch, since each is divided by the global batch already. Every rank then
// makes the same update, so the replicas stay the same to the bit.
//
// The sum is made in one message after the backward pass, or in buckets beside it, each as soon as its
// gradients are there (Li et al., "PyTorch Distributed", VLDB 2020, section 3.2.3).
// The messages may be compressed; each bucket then has a residual of its own.
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/bucket_sums.h"
#include "src/strategy/gradient_norm.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Ddp final : public Strategy {
 public:
  explicit Ddp(const StrategySetup& setup)
      : Strategy(setup),
        options_(setup.options),
        phases_(collects() ? phases_of_step(options_, {Phase::collect, Phase::exchange, Phase::optimizer})
                           : phases_of_step(options_, {Phase::exchange, Phase::optimizer})),
        side_stream_(setup.device),
        clip_(setup.device, setup.options) {}

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    // At the first step, which is never captured, the layout is known.
    if (sums_.empty()) sums_ = make_bucket_sums(device(), mlp.state().layout(), options_, {rank(), ranks()});
    enqueue_forward(mlp, source, marks, stream);
    if (in_buckets()) {
      send_during_backward(mlp, marks, stream);
    } else {
      send_after_backward(mlp, marks, stream);
    }
    marks.end_of(Phase::exchange, stream);
    clip_.apply(mlp.state(), stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return phases_; }

 private:
  bool in_buckets() const { return options_.bucket_bytes > 0; }
  // What is made beside the backward pass is no phase of its own.
  bool collects() const { return !in_buckets() && !options_.compression.is_plain(); }

  void send_after_backward(Mlp& mlp, PhaseMarks& marks, Stream& stream) {
    float* const gradients = mlp.gradients().data();
    mlp.backward([](std::size_t) {}, stream);
    marks.end_of(Phase::backward, stream);
    GradientSum& sum = *sums_.front().sum;
    sum.begin(gradients, stream);
    if (collects()) marks.end_of(Phase::collect, stream);
    sum.end(gradients, communicator(), stream);
  }

  void send_during_backward(Mlp& mlp, PhaseMarks& marks, Stream& stream) {
    auto next = sums_.begin();
    const auto send_what_is_ready = [&](std::size_t layer) {
      if (layer > next->bucket.first_layer) return;
      next->sum->sum(mlp.gradients().data() + next->bucket.begin, communicator(), side_stream_.from(stream));
      ++next;
    };
    mlp.backward(send_what_is_ready, stream);
    marks.end_of(Phase::backward, stream);
    side_stream_.join(stream);
  }

  StrategyOptions options_;
  std::vector<Phase> phases_;
  SideStream side_stream_;
  std::vector<BucketSum> sums_;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(const StrategySetup& setup) { return std::make_unique<Ddp>(setup); }

}  // namespace breakeven
