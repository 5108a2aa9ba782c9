// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/sharding.h"

namespace breakeven {
namespace {

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  return sharded_memory_need(fsdp_sharding, options, whole, rank, ranks);
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  std::vector<Message> messages = sharded_messages(fsdp_sharding, options, whole, rank, ranks);
  const ParameterLayout layout(whole.shape, ranks);
  for (const Bucket& bucket : make_buckets(layout, fsdp_sharding.bucket_bytes, 0)) {
    if (is_gathered_again(bucket.first_layer, layout.layers()))
      messages.push_back(gathered_weights(bucket, whole, ranks));
  }
  return messages;
}

}  // namespace

StrategyDescription describe_fsdp() {
  return {
      .name = "fsdp",
      .place = 7,
      .options = {"clip"},
      .traits = {.overlaps = true},
      .messages = messages,
      .memory_need = memory_need,
      .work = sharded_work,
      .replica_stride = StrategyDescription::no_replicas,
  };
}

}  // namespace breakeven
