// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/gradient_buckets.h"

namespace breakeven {

namespace {

std::string refusal(const StrategyOptions& options, const SharedWork&) {
  if (options.first_bucket_bytes > 0 && options.bucket_bytes == 0) {
    return "first-bucket is the first of several: it needs buckets, such as buckets=4MB:first-bucket=1MB";
  }
  if (!options.compression.is_plain() && options.clip_norm > 0) {
    return "compress does not go with clip: what they give together has no serial definition";
  }
  return "";
}

StrategyPromise promise(const StrategyOptions& options) {
  return {.exact = options.compression.is_plain(), .in_rank_order = options.compression.form->in_rank_order};
}

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  MemoryNeed need = StrategyDescription::whole_mlp(options, whole, rank, ranks);
  need.strategy += bucket_sums_cost(ParameterLayout(whole.shape), options, ranks).memory_bytes;
  return need;
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int, int ranks) {
  return bucket_sums_cost(ParameterLayout(whole.shape), options, ranks).messages;
}

}  // namespace

StrategyDescription describe_ddp() {
  return {
      .name = "ddp",
      .summary = "data parallel: the gradients are summed by an all-reduce, every rank makes the update",
      .place = 3,
      .options = {"buckets", "first-bucket", "compress", "clip", "accumulate", "checkpoint"},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = memory_need,
  };
}

}  // namespace breakeven
