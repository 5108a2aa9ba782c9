// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/gradient_costs.h"

namespace breakeven {
namespace {

std::string refusal(const StrategyOptions& options, const SharedWork&) {
  if (options.first_bucket_bytes > 0 && options.bucket_bytes == 0) {
    return "first-bucket needs buckets too, such as buckets=4MB:first-bucket=1MB";
  }
  if (!options.compression.is_plain() && options.clip_norm > 0) {
    return "compress and clip cannot be combined: there is no serial definition to verify them against";
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
      .place = 3,
      .options = {"buckets", "first-bucket", "compress", "clip", "accumulate", "checkpoint"},
      .traits = {.joins_update = true},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = memory_need,
  };
}

}  // namespace breakeven
