// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/gradient_costs.h"
#include "src/core/strategy/mesh.h"
#include "src/core/strategy/pipeline.h"
#include "src/core/strategy/tensor.h"

namespace breakeven {
namespace {

std::string refusal(const StrategyOptions& options, const SharedWork& work) {
  if (options.tensor > 0 && options.pipeline > 0) return "split the model by tensor or by pipeline, not both";
  const RankMesh mesh = mesh_of(options, work.ranks);
  if (mesh.data * mesh.parts != work.ranks)
    return fmt::format("a mesh of {} x {} needs {} ranks; this case has {}", mesh.data, mesh.parts,
                       mesh.data * mesh.parts, work.ranks);
  if (options.pipeline == 0) return tensor_split_refusal(work.shape, mesh.parts);
  const std::uint32_t batch = work.batch / static_cast<std::uint32_t>(mesh.data);
  return pipeline_split_refusal(options, work.shape, batch, mesh.parts);
}

StrategyPromise promise(const StrategyOptions&) { return {.definition_bits = false}; }

MemoryNeed memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const RankMesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  MemoryNeed need = options.pipeline > 0 ? pipeline_memory_need(options, of_group, part, mesh.parts)
                                         : tensor_memory_need(options, of_group, part, mesh.parts);
  // Beside what all ranks agree by, a group of tensor parallelism has its own.
  if (options.pipeline == 0) need.strategy += overflow_bytes(whole.precision);
  return need;
}

std::vector<Message> messages(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const RankMesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  const bool by_pipeline = options.pipeline > 0;
  std::vector<Message> messages =
      by_pipeline ? stage_messages(options, of_group, part, mesh.parts) : tensor_sums(of_group, mesh.parts);
  const MlpSettings mine = by_pipeline ? pipeline_part_of_rank(options, of_group, part, mesh.parts)
                                       : tensor_part_of(of_group, part, mesh.parts);
  messages.push_back(
      {Collective::all_reduce, ParameterLayout(mine.shape).floats() * sizeof(float), mesh.data});
  add_overflow_messages(whole.precision, ranks, messages);
  return messages;
}

RankWork work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const RankMesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  return options.pipeline > 0 ? pipeline_work(options, of_group, part, mesh.parts)
                              : tensor_work(options, of_group, part, mesh.parts);
}

}  // namespace

StrategyDescription describe_hybrid() {
  return {
      .name = mesh_strategy,
      .place = 10,
      .options = {data_option, tensor_strategy, pipeline_strategy, "schedule", micro_batches_option},
      .traits = {.splits_model = true},
      .promise = promise,
      .own_refusal = refusal,
      .messages = messages,
      .memory_need = memory_need,
      .work = work,
      .pipeline_stages = [](const StrategyOptions& options, int) { return options.pipeline; },
      .replica_stride = [](const StrategyOptions& options,
                           int ranks) { return mesh_of(options, ranks).parts; },
  };
}

}  // namespace breakeven
