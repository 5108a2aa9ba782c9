// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/sharding.h"

#include "src/core/model/mlp_memory.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/gradient_costs.h"

namespace breakeven {

Sharding zero1_sharding(const StrategyOptions& options) {
  Sharding sharding{.level = Sharded::moments};
  if (options.bucket_bytes > 0) sharding.bucket_bytes = options.bucket_bytes;
  return sharding;
}

Sharding zero2_sharding(const StrategyOptions& options) {
  constexpr std::uint64_t layer_by_layer = 1;  // the smallest bucket is a layer
  Sharding sharding{.level = Sharded::gradients};
  sharding.bucket_bytes = options.bucket_bytes > 0 ? options.bucket_bytes : layer_by_layer;
  return sharding;
}

MlpSettings sharded(const MlpSettings& whole, const Sharding& sharding, int rank, int ranks) {
  MlpSettings mine = whole;
  mine.sharding = sharding;
  mine.sharding.rank = rank;
  mine.sharding.ranks = ranks;
  return mine;
}

std::vector<Bucket> sharded_buckets(const MlpSettings& settings) {
  const Sharding& sharding = settings.sharding;
  const ParameterLayout layout(settings.shape, sharding.ranks);
  return make_buckets(layout, sharding.bucket_bytes, sharding.first_bucket_bytes);
}

MemoryNeed sharded_memory_need(const Sharding& sharding, const StrategyOptions& options,
                               const MlpSettings& whole, int rank, int ranks) {
  const MlpSettings mine = sharded(whole, sharding, rank, ranks);
  MemoryNeed need = mlp_memory(mine);
  need.strategy = overflow_bytes(whole.precision);
  if (options.clip_norm > 0) need.strategy += norm_bytes(sharded_buckets(mine).size(), ranks);
  return need;
}

Message gathered_weights(const Bucket& bucket, const MlpSettings& whole, int ranks) {
  return {Collective::all_gather, bucket.floats * whole.dtype_bytes(), ranks};
}

std::vector<Message> sharded_messages(const Sharding& sharding, const StrategyOptions& options,
                                      const MlpSettings& whole, int rank, int ranks) {
  const MlpSettings mine = sharded(whole, sharding, rank, ranks);
  const std::vector<Bucket> buckets = sharded_buckets(mine);
  std::vector<Message> messages;
  for (const Bucket& bucket : buckets)
    messages.push_back({Collective::reduce_scatter, bucket.floats * sizeof(float), ranks});
  add_overflow_messages(whole.precision, ranks, messages);
  if (options.clip_norm > 0)
    messages.push_back({Collective::all_gather, squares_bytes(buckets.size(), ranks), ranks});
  for (const Bucket& bucket : buckets) messages.push_back(gathered_weights(bucket, whole, ranks));
  const std::uint64_t biases = state_sizes(mine).biases * sizeof(float);
  if (biases > 0) messages.push_back({Collective::all_reduce, biases, ranks});
  return messages;
}

RankWork sharded_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  RankWork work = StrategyDescription::work_of_mlp(options, whole, rank, ranks);
  work.updated = 1.0 / ranks;
  return work;
}

}  // namespace breakeven
