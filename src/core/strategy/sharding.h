// SPDX-License-Identifier: Apache-2.0
// Memory, messages and work of strategies that shard the model's state over the ranks: zero1, zero2, fsdp.
#pragma once

#include <vector>

#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {

Sharding zero1_sharding(const StrategyOptions& options);
Sharding zero2_sharding(const StrategyOptions& options);
inline constexpr Sharding fsdp_sharding{.level = Sharded::parameters, .bucket_bytes = 1};

// fsdp gathers a layer's weights again for the backward pass. Layer 0 computes no data gradient and needs no
// weights; the weights of the last two layers are still in memory.
constexpr bool is_gathered_again(std::size_t layer, std::size_t layers) {
  return layer > 0 && layer + 2 < layers;
}

// The settings of a rank's network.
MlpSettings sharded(const MlpSettings& whole, const Sharding& sharding, int rank, int ranks);
std::vector<Bucket> sharded_buckets(const MlpSettings& settings);

// What a rank's network needs, with what the strategy keeps besides.
MemoryNeed sharded_memory_need(const Sharding& sharding, const StrategyOptions& options,
                               const MlpSettings& whole, int rank, int ranks);

// The gradients and weights of every bucket once, and the agreement of the ranks on norm and overflow.
std::vector<Message> sharded_messages(const Sharding& sharding, const StrategyOptions& options,
                                      const MlpSettings& whole, int rank, int ranks);
Message gathered_weights(const Bucket& bucket, const MlpSettings& whole, int ranks);

// The same as members of a StrategyDescription whose options decide the sharding.
using ShardingOf = Sharding(const StrategyOptions& options);
template <ShardingOf sharding>
MemoryNeed memory_need_by(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_memory_need(sharding(options), options, whole, rank, ranks);
}
template <ShardingOf sharding>
std::vector<Message> messages_by(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                 int ranks) {
  return sharded_messages(sharding(options), options, whole, rank, ranks);
}
RankWork sharded_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
