// SPDX-License-Identifier: Apache-2.0
// zero1, and of the gradients, too, a rank keeps its share alone: the second stage of Rajbhandari et al.,
// "ZeRO", SC 2020, section 5.2. Each bucket's gradients are made in memory that the bucket after the next
// uses again, and are reduce-scattered from there beside the rest of the backward pass.
#include "src/strategy/sharded_strategy.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

constexpr std::uint64_t layer_by_layer = 1;  // the smallest bucket is a layer

Sharding sharding_of(const StrategyOptions& options) {
  Sharding sharding{.level = Sharded::gradients};
  sharding.bucket_bytes = options.bucket_bytes > 0 ? options.bucket_bytes : layer_by_layer;
  return sharding;
}

class Zero2 final : public ShardedStrategy {
 public:
  explicit Zero2(const StrategySetup& setup) : ShardedStrategy(setup, sharding_of(setup.options)) {}

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    ModelState& state = replica.state();
    backward_beside_scatter(replica, Replica::no_hook, stream);
    marks.end_of(Phase::backward, stream);
    beside().join(stream);
    agree_on_norm(state, stream);
    marks.end_of(Phase::exchange, stream);
    update_own(replica, stream);
    marks.end_of(Phase::optimizer, stream);
    for (std::size_t b = 0; b < state.buckets().size(); ++b) gather_weights(state, b, stream);
    gather_biases(state, stream);
    marks.end_of(Phase::broadcast, stream);
  }

  std::span<const Phase> phases() const override { return order; }

 private:
  static constexpr std::array order{Phase::input,    Phase::forward,   Phase::backward,
                                    Phase::exchange, Phase::optimizer, Phase::broadcast};
};

}  // namespace

MemoryNeed zero2_memory_need(const StrategyOptions& options, const ReplicaSettings& whole, int rank,
                             int ranks) {
  return sharded_memory_need(sharding_of(options), whole, rank, ranks);
}

std::vector<Message> zero2_messages(const StrategyOptions& options, const ReplicaSettings& whole, int rank,
                                    int ranks) {
  return sharded_messages(sharding_of(options), options, whole, rank, ranks);
}

std::unique_ptr<Strategy> make_zero2(const StrategySetup& setup) { return std::make_unique<Zero2>(setup); }

}  // namespace breakeven
