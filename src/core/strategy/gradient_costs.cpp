// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/gradient_costs.h"

namespace breakeven {

std::vector<Bucket> buckets_of(const ParameterLayout& layout, const StrategyOptions& options) {
  return make_buckets(layout, options.bucket_bytes, options.first_bucket_bytes);
}

SumCost bucket_sums_cost(const ParameterLayout& layout, const StrategyOptions& options, int ranks) {
  SumCost all;
  for (const Bucket& bucket : buckets_of(layout, options)) {
    const SumCost cost =
        options.compression.cost(range_of_layers(layout, bucket.first_layer, bucket.layers), ranks);
    all.messages.insert(all.messages.end(), cost.messages.begin(), cost.messages.end());
    all.memory_bytes += cost.memory_bytes;
  }
  return all;
}

}  // namespace breakeven
