// SPDX-License-Identifier: Apache-2.0
// Pipeline parallelism: the model is cut into stages of about the same time, one on each rank. What the
// stages are, what each does in a step and in which order, and what they exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// The time of a layer in a step, in bytes that the memory could move in that time. Arithmetic counts by
// `flops_a_byte`: about the fp32 operations of a GPU while it moves a byte.
inline constexpr double flops_a_byte = 20;
double layer_cost(const ModelShape& shape, std::size_t layer, std::uint32_t batch,
                  std::uint32_t micro_batches);

// The first layer of each stage, then the number of layers: the cut into `stages` (at most one for each
// layer) whose longest stage is shortest.
std::vector<std::size_t> stage_borders(const ModelShape& shape, std::uint32_t batch,
                                       std::uint32_t micro_batches, std::size_t stages);

// The settings of a stage of the whole model.
MlpSettings pipeline_part_of(const MlpSettings& whole, std::size_t first_layer, std::size_t end_layer,
                             MicroBatches micro_batches);

enum class StageAction {
  receive_input,  // from the previous stage; the first stage has the batch
  forward,
  send_output,       // to the next stage
  receive_gradient,  // of the output
  backward,
  send_gradient  // of the input
};

struct StageTask {
  StageAction action;
  std::uint32_t micro_batch;
};

// The tasks of a stage in one step, in order. Neighbours communicate in the same order, and no two stages
// wait for each other, because a message may block its sender until it is received.
std::vector<StageTask> pipeline_schedule(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                         std::uint32_t micro_batches);

// The number of micro-batches whose activations the stage keeps at a time.
std::uint32_t micro_batches_in_flight(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                      std::uint32_t micro_batches);

// How many micro-batches the options ask for.
std::uint32_t micro_batches_of(const StrategyOptions& options, int stages);

// The settings of the rank's stage.
MlpSettings pipeline_part_of_rank(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                  int stages);

// Why the work cannot be cut into so many stages, as half a sentence, or "".
std::string pipeline_split_refusal(const StrategyOptions& options, const ModelShape& shape,
                                   std::uint32_t batch, int stages);

// The messages of rank `rank` of the group in a step, without the agreement on overflow.
std::vector<Message> stage_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int stages);

MemoryNeed pipeline_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                int ranks);
RankWork pipeline_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
