// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/tensor.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/gradient_costs.h"
#include "src/core/strategy/mesh.h"

namespace breakeven {
namespace {

std::string refusal(const StrategyOptions&, const SharedWork& work) {
  return tensor_split_refusal(work.shape, work.ranks);
}

// A layer's sums are made in parts, which one device adds up in one go.
StrategyPromise promise(const StrategyOptions&) { return {.definition_bits = false}; }

std::vector<Message> messages(const StrategyOptions&, const MlpSettings& whole, int, int ranks) {
  std::vector<Message> messages = tensor_sums(whole, ranks);
  add_overflow_messages(whole.precision, ranks, messages);
  return messages;
}

}  // namespace

StrategyDescription describe_tensor() {
  return {
      .name = tensor_strategy,
      .place = 8,
      .traits = {.splits_model = true},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = tensor_memory_need,
      .work = tensor_work,
      .replica_stride = StrategyDescription::no_replicas,
  };
}

}  // namespace breakeven
