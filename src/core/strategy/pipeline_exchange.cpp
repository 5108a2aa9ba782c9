// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/pipeline_exchange.h"

#include <fmt/format.h>

#include "src/core/matrix.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/model/pipeline_stages.h"
#include "src/core/strategy/gradient_checks.h"

namespace breakeven {

std::uint32_t micro_batches_of(const StrategyOptions& options, int stages) {
  return options.micro_batches > 0 ? options.micro_batches : static_cast<std::uint32_t>(stages);
}

MlpSettings pipeline_part_of_rank(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                  int stages) {
  const std::uint32_t count = micro_batches_of(options, stages);
  const auto stage = static_cast<std::uint32_t>(rank);
  const auto ranks = static_cast<std::uint32_t>(stages);
  const auto borders = stage_borders(whole.shape, whole.rows, count, ranks);
  return pipeline_part_of(whole, borders[stage], borders[stage + 1],
                          {count, micro_batches_in_flight(options.schedule, stage, ranks, count), true});
}

std::string pipeline_split_refusal(const StrategyOptions& options, const ModelShape& shape,
                                   std::uint32_t batch, int stages) {
  const auto layers = static_cast<int>(shape.layers());
  if (stages > layers)
    return fmt::format("{} layers make 1 to {} pipeline stages, not {}", layers, layers, stages);
  const std::uint32_t count = micro_batches_of(options, stages);
  if (batch % count == 0) return "";
  return fmt::format("{} samples do not divide evenly into {} micro-batches", batch, count);
}

std::vector<Message> stage_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int stages) {
  const MlpSettings part = pipeline_part_of_rank(options, whole, rank, stages);
  const std::uint32_t count = part.micro_batches.count;
  std::vector<Message> messages;
  // Activations one way and their gradients the other; the same for both.
  const auto add_border = [&](std::uint32_t width) {
    const std::uint64_t values = whole.rows / count * static_cast<std::uint64_t>(padded_width(width));
    for (const Collective kind : {Collective::send, Collective::receive})
      messages.push_back({kind, values * whole.dtype_bytes(), 2, count});
  };
  if (rank > 0) add_border(part.shape.widths.front());
  if (rank + 1 < stages) add_border(part.shape.widths.back());
  return messages;
}

MemoryNeed pipeline_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                int ranks) {
  const MlpSettings part = pipeline_part_of_rank(options, whole, rank, ranks);
  MemoryNeed need = mlp_memory(part);
  need.strategy = overflow_bytes(whole.precision);
  return need;
}

// A stage's own turns, and those in which it waits for a micro-batch: the bubble, if all take the same time.
RankWork pipeline_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const std::uint32_t micro_batches = micro_batches_of(options, ranks);
  return {.shape = pipeline_part_of_rank(options, whole, rank, ranks).shape,
          .rows = whole.rows / micro_batches,
          .passes = micro_batches + ranks - 1.0};
}

}  // namespace breakeven
