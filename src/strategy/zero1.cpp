// SPDX-License-Identifier: Apache-2.0
// Data parallelism in which every rank makes the update of its share of the parameters alone, and has the
// moments of that share alone: the first stage of Rajbhandari et al., "ZeRO", SC 2020, section 5.1. The
// gradients reach their owners by a reduce-scatter, the new parameters all ranks by an all-gather: together
// what an all-reduce moves. In 16 bits the working copy is what travels back.
#include "src/strategy/sharded_strategy.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

Sharding sharding_of(const StrategyOptions& options) {
  Sharding sharding{.level = Sharded::moments};
  if (options.bucket_bytes > 0) sharding.bucket_bytes = options.bucket_bytes;
  return sharding;
}

class Zero1 final : public ShardedStrategy {
 public:
  explicit Zero1(const StrategySetup& setup)
      : ShardedStrategy(setup, sharding_of(setup.options)), overlaps_(setup.options.bucket_bytes > 0) {}

  void step(Replica& replica, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    ModelState& state = replica.state();
    if (overlaps_) {
      backward_beside_scatter(replica, Replica::no_hook, stream);
      marks.end_of(Phase::backward, stream);
      beside().join(stream);
    } else {
      replica.backward(Replica::no_hook, stream);
      marks.end_of(Phase::backward, stream);
      scatter_gradients(state, 0, stream);
    }
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
  bool overlaps_;
};

}  // namespace

MemoryNeed zero1_memory_need(const StrategyOptions& options, const ReplicaSettings& whole, int rank,
                             int ranks) {
  return sharded_memory_need(sharding_of(options), whole, rank, ranks);
}

std::vector<Message> zero1_messages(const StrategyOptions& options, const ReplicaSettings& whole, int rank,
                                    int ranks) {
  return sharded_messages(sharding_of(options), options, whole, rank, ranks);
}

std::unique_ptr<Strategy> make_zero1(const StrategySetup& setup) { return std::make_unique<Zero1>(setup); }

}  // namespace breakeven
