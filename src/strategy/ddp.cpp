// SPDX-License-Identifier: Apache-2.0
// Data parallelism: every rank holds the whole model and a part of the batch; the sum of the ranks' gradients
// is the gradient of the whole batch, since each is divided by the global batch already. Every rank then
// makes the same update, so the replicas stay the same to the bit.
//
// The sum is made in one message after the backward pass, or in buckets beside it, each as soon as its
// gradients are there (Li et al., "PyTorch Distributed", VLDB 2020, section 3.2.3).
#include <array>

#include "src/strategy/buckets.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Ddp final : public Strategy {
 public:
  explicit Ddp(const StrategySetup& setup)
      : Strategy(setup), options_(setup.options), beside_(setup.device) {}

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    const std::span<float> gradients = replica.gradients();
    if (options_.bucket_bytes == 0) {
      replica.backward([](std::size_t) {}, stream);
      marks.end_of(Phase::backward, stream);
      communicator().all_reduce_sum(gradients.data(), gradients.size(), stream);
    } else {
      const auto buckets =
          make_buckets(replica.state().layout(), options_.bucket_bytes, options_.first_bucket_bytes);
      auto next = buckets.begin();
      const auto send_what_is_ready = [&](std::size_t layer) {
        if (layer > next->first_layer) return;
        communicator().all_reduce_sum(gradients.data() + next->begin, next->floats, beside_.from(stream));
        ++next;
      };
      replica.backward(send_what_is_ready, stream);
      marks.end_of(Phase::backward, stream);
      beside_.join(stream);
    }
    marks.end_of(Phase::exchange, stream);
    replica.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return order; }

 private:
  static constexpr std::array order{Phase::input, Phase::forward, Phase::backward, Phase::exchange,
                                    Phase::optimizer};
  StrategyOptions options_;
  Beside beside_;
};

}  // namespace

std::string ddp_refusal(const StrategyOptions& options, const SharedWork&) {
  if (options.first_bucket_bytes == 0 || options.bucket_bytes > 0) return "";
  return "first-bucket is the first of several: it needs buckets, such as buckets=4MB:first-bucket=1MB";
}

std::unique_ptr<Strategy> make_ddp(const StrategySetup& setup) { return std::make_unique<Ddp>(setup); }

}  // namespace breakeven
