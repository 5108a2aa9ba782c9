// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/pipeline.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/gradient_costs.h"
#include "src/core/strategy/mesh.h"

namespace breakeven {
namespace {

std::string refusal(const StrategyOptions& options, const SharedWork& work) {
  return pipeline_split_refusal(options, work.shape, work.batch, work.ranks);
}

// Gradients are added micro-batch by micro-batch, and the parameters of a stage are on one rank alone.
StrategyPromise promise(const StrategyOptions&) { return {.definition_bits = false}; }

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  std::vector<Message> messages = stage_messages(options, whole, rank, ranks);
  add_overflow_messages(whole.precision, ranks, messages);
  return messages;
}

}  // namespace

StrategyDescription describe_pipeline() {
  return {
      .name = pipeline_strategy,
      .place = 9,
      .options = {"schedule", micro_batches_option},
      .traits = {.splits_model = true},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = pipeline_memory_need,
      .work = pipeline_work,
      .pipeline_stages = [](const StrategyOptions&, int ranks) { return ranks; },
      .replica_stride = StrategyDescription::no_replicas,
  };
}

}  // namespace breakeven
