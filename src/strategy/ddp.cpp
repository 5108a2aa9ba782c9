// SPDX-License-Identifier: Apache-2.0
// Data parallelism. Each rank holds the whole model and trains on its part of the batch. An all-reduce sums
// the gradients; each rank divides by the global batch, so the sum is the gradient of the whole batch. All
// ranks then make the same update, and the replicas stay bit-identical.
//
// Without `buckets` there is one message after the backward pass. With `buckets`, each bucket is summed on a
// side stream during the backward pass, as soon as its gradients are ready (Li et al., "PyTorch Distributed",
// VLDB 2020, section 3.2.3). With `compress`, each bucket keeps its own residual (src/compression).
//
// Where the transport can sum gradients within a small network's fused step, ranks make these steps.
#include <optional>

#include "src/compression/gradient_sum.h"
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

class Ddp final : public Strategy {
 public:
  explicit Ddp(const StrategySetup& setup)
      : Strategy(setup,
                 collects(setup.options)
                     ? phases_of_step(setup.options, {Phase::collect, Phase::exchange, Phase::optimizer})
                     : phases_of_step(setup.options, {Phase::exchange, Phase::optimizer})),
        options_(setup.options),
        side_stream_(setup.device),
        clip_(setup.device, setup.options) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    // In the first step, which is never captured: the layout is known only now.
    if (sums_.empty())
      sums_ = compression::make_bucket_sums(device(), mlp.state().layout(), options_, {rank(), ranks()});
    enqueue_forward(mlp, source, marks, stream);
    if (in_buckets(options_)) {
      send_during_backward(mlp, marks, stream);
    } else {
      mlp.backward(model::Mlp::no_hook, stream);
      marks.end_of(Phase::backward, stream);
      if (sums_and_updates_at_once(mlp, stream)) {
        marks.end_of(Phase::exchange, stream);
        marks.end_of(Phase::optimizer, stream);
        return;
      }
      send_after_backward(mlp, marks, stream);
    }
    marks.end_of(Phase::exchange, stream);
    clip_.apply(mlp.state(), stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  bool whole_steps(model::Mlp& mlp, const BatchSource& source, std::uint32_t count, Stream& stream) override {
    if (!fuses_steps_) fuses_steps_ = all_fuse_steps(mlp, source, stream);
    return *fuses_steps_ && mlp.whole_steps(source, count, stream, communicator().step_exchange());
  }

 private:
  // Asked in the first step, which is never captured. What a rank can do depends on its GPU.
  bool all_fuse_steps(model::Mlp& mlp, const BatchSource& source, Stream& stream) {
    StepExchange* const exchange = communicator().step_exchange();
    if (exchange == nullptr || in_buckets(options_) || !options_.compression.is_plain() ||
        updates_apart(options_))
      return false;
    return communicator().all_agree(mlp.whole_steps(source, 0, stream, exchange));
  }

  static bool in_buckets(const StrategyOptions& options) { return options.bucket_bytes > 0; }
  // Compression during the backward pass has no phase of its own.
  static bool collects(const StrategyOptions& options) {
    return !in_buckets(options) && !options.compression.is_plain();
  }

  // Where the transport can, and nothing comes between the sum and the update: the phase `exchange` then has
  // both.
  bool sums_and_updates_at_once(model::Mlp& mlp, Stream& stream) {
    const bool changes_sums = !options_.compression.is_plain() || options_.clip_norm > 0;
    return !changes_sums && mlp.state().update_by_sums(communicator(), stream);
  }

  void send_after_backward(model::Mlp& mlp, PhaseMarks& marks, Stream& stream) {
    float* const gradients = mlp.gradients().data();
    compression::GradientSum& sum = *sums_.front().sum;
    sum.begin(gradients, stream);
    if (collects(options_)) marks.end_of(Phase::collect, stream);
    sum.end(gradients, communicator(), stream);
  }

  void send_during_backward(model::Mlp& mlp, PhaseMarks& marks, Stream& stream) {
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
  SideStream side_stream_;
  std::optional<bool> fuses_steps_;  // the same on all ranks
  std::vector<compression::BucketSum> sums_;
  WholeGradientClip clip_;
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(const StrategySetup& setup) { return std::make_unique<Ddp>(setup); }

}  // namespace breakeven::strategy
