// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/mlp_memory.h"

#include <algorithm>

#include "src/core/model/activation_views.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/step_state.h"

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

MemoryNeed state_memory(const MlpSettings& settings) {
  const StateSizes sizes = state_sizes(settings);
  MemoryNeed need;
  need.parameters = sizes.masters * sizeof(float) + sizeof(StepState);
  need.working_copy =
      (sizes.working + sizes.weight_slots[0] + sizes.weight_slots[1]) * settings.dtype_bytes() +
      sizes.biases * sizeof(float);
  need.gradients = (sizes.gradients + sizes.gradient_slots[0] + sizes.gradient_slots[1]) * sizeof(float);
  need.moments = 2 * sizes.moment * sizeof(float);
  return need;
}

// The buffers are as large as the largest layer needs.
std::size_t micro_gradient_bytes(const MlpSettings& settings) {
  if (!settings.micro_batches.are_several()) return 0;
  const ParameterLayout layout(settings.shape);
  std::size_t largest = 0;
  for (std::size_t l = 0; l < layout.layers(); ++l) largest = std::max(largest, layout.layer_floats(l));
  return largest * sizeof(float);
}

std::size_t micro_losses_bytes(const MlpSettings& settings) {
  const bool has_losses = settings.micro_batches.are_several() && settings.place.ends_model;
  return has_losses ? settings.micro_batches.count * sizeof(float) : 0;
}

MemoryNeed mlp_memory(const MlpSettings& settings) {
  MemoryNeed need = state_memory(settings);
  need.activations = ActivationViews::bytes_needed(settings);
  need.gradients += micro_gradient_bytes(settings);
  need.histories = settings.total_steps * (sizeof(float) + sizeof(std::uint64_t)) + sizeof(StepNotes) +
                   micro_losses_bytes(settings);
  return need;
}

}  // namespace breakeven
