// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/state_sizes.h"

#include <algorithm>

#include "src/core/model/buckets.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {
namespace {

std::array<std::size_t, 2> largest_of_every_other(const std::vector<Bucket>& buckets) {
  std::array<std::size_t, 2> largest{};
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    largest[b % 2] = std::max(largest[b % 2], buckets[b].floats);
  }
  return largest;
}

}  // namespace

StateSizes state_sizes(const MlpSettings& settings) {
  const Sharding& sharding = settings.sharding;
  const ParameterLayout layout(settings.shape, sharding.ranks);
  const std::size_t whole = layout.floats();
  const std::size_t share = whole / static_cast<std::size_t>(sharding.ranks);
  const auto buckets = make_buckets(layout, sharding.bucket_bytes, sharding.first_bucket_bytes);
  const bool is_narrow = settings.dtype() != Dtype::fp32;
  StateSizes sizes;
  sizes.masters = settings.shards_masters() ? share : whole;
  sizes.gradients = settings.shards(Sharded::gradients) ? share : whole;
  if (settings.optimizer == OptimizerKind::adam) {
    sizes.moment = settings.shards(Sharded::moments) ? share : whole;
  }
  if (is_narrow && !settings.shards(Sharded::parameters)) sizes.working = whole;
  if (is_narrow && settings.shards_masters()) {
    for (std::size_t l = 0; l < layout.layers(); ++l) sizes.biases += layout.bias_floats(l);
  }
  if (settings.shards(Sharded::parameters)) sizes.weight_slots = largest_of_every_other(buckets);
  if (settings.shards(Sharded::gradients)) sizes.gradient_slots = largest_of_every_other(buckets);
  return sizes;
}

}  // namespace breakeven
