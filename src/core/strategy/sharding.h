// SPDX-License-Identifier: Apache-2.0
// What the strategies cost that cut the model's state into a share for each rank: zero1, zero2, fsdp.
#pragma once

#include <vector>

#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {

Sharding zero1_sharding(const StrategyOptions& options);
Sharding zero2_sharding(const StrategyOptions& options);
inline constexpr Sharding fsdp_sharding{.level = Sharded::parameters, .bucket_bytes = 1};

// fsdp gathers a layer's weights a second time for the backward pass. Layer 0 has no data gradient to make
// and needs no weights; the last two still have theirs.
constexpr bool is_gathered_again(std::size_t layer, std::size_t layers) {
  return layer > 0 && layer + 2 < layers;
}

// The settings of a rank's replica.
MlpSettings sharded(const MlpSettings& whole, const Sharding& sharding, int rank, int ranks);
std::vector<Bucket> sharded_buckets(const MlpSettings& settings);

// For StrategyDescription::memory_need.
MemoryNeed sharded_memory_need(const Sharding& sharding, const StrategyOptions& options,
                               const MlpSettings& whole, int rank, int ranks);

// For StrategyDescription::messages: every bucket's gradients and its weights once, and what the ranks agree
// by.
std::vector<Message> sharded_messages(const Sharding& sharding, const StrategyOptions& options,
                                      const MlpSettings& whole, int rank, int ranks);
Message gathered_weights(const Bucket& bucket, const MlpSettings& whole, int ranks);

RankWork sharded_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
