// SPDX-License-Identifier: Apache-2.0
// What a stage of a pipeline does in a step, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/strategy/strategy_options.h"

namespace breakeven {

enum class StageAction {
  receive_input,  // from the stage before; the first has the batch
  forward,
  send_output,       // to the stage behind
  receive_gradient,  // of the output
  backward,
  send_gradient  // of the input
};

struct StageTask {
  StageAction action;
  std::uint32_t micro_batch;
};

// Two neighbours exchange in the same order, and no two stages wait for each other: a message may block its
// sender until it is received.
std::vector<StageTask> pipeline_schedule(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                         std::uint32_t micro_batches);

// Of which the stage keeps activations at a time.
std::uint32_t micro_batches_in_flight(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                      std::uint32_t micro_batches);

}  // namespace breakeven
