// SPDX-License-Identifier: Apache-2.0
// A pipeline's stages and schedules: every layer in one stage, the longest as short as can be; messages in
// one order on both sides, and nobody waits for ever even where every send waits for its receiver.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/core/strategy/pipeline.h"

namespace breakeven {
namespace {

TEST(PipelineStages, EveryLayerIsInOneStageAndEqualLayersAreSharedEvenly) {
  const ModelShape even{"", {64, 64, 64, 64, 64, 64, 64}, 0};
  EXPECT_EQ(stage_borders(even, 512, 4, 3), (std::vector<std::size_t>{0, 2, 4, 6}));
  EXPECT_EQ(stage_borders(even, 512, 4, 1), (std::vector<std::size_t>{0, 6}));
  EXPECT_EQ(stage_borders(even, 512, 4, 6), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PipelineStages, NoOtherCutHasAShorterLongestStage) {
  const ModelShape shape{"", {4608, 1024, 1024, 512, 512, 256, 768}, 0};
  const auto longest = [&](std::size_t first, std::size_t second) {
    double costs[3] = {};
    for (std::size_t l = 0; l < 6; ++l)
      costs[l < first ? 0 : l < second ? 1 : 2] += layer_cost(shape, l, 256, 8);
    return *std::max_element(costs, costs + 3);
  };
  const auto borders = stage_borders(shape, 256, 8, 3);
  for (std::size_t first = 1; first < 5; ++first) {
    for (std::size_t second = first + 1; second < 6; ++second)
      EXPECT_LE(longest(borders[1], borders[2]), longest(first, second));
  }
}

// Every stage does its tasks in order; a send and its receive happen at once, as soon as both are next.
bool comes_to_an_end(const std::vector<std::vector<StageTask>>& stages) {
  std::vector<std::size_t> next(stages.size(), 0);
  const auto is_next = [&](std::size_t stage, StageAction action, std::uint32_t micro_batch) {
    return stage < stages.size() && next[stage] < stages[stage].size() &&
           stages[stage][next[stage]].action == action &&
           stages[stage][next[stage]].micro_batch == micro_batch;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      if (next[s] == stages[s].size()) continue;
      const StageTask task = stages[s][next[s]];
      const bool computes = task.action == StageAction::forward || task.action == StageAction::backward;
      if (computes) {
        next[s] += 1;
        moved = true;
      } else if (task.action == StageAction::send_output &&
                 is_next(s + 1, StageAction::receive_input, task.micro_batch)) {
        next[s] += 1;
        next[s + 1] += 1;
        moved = true;
      } else if (task.action == StageAction::send_gradient &&
                 is_next(s - 1, StageAction::receive_gradient, task.micro_batch)) {
        next[s] += 1;
        next[s - 1] += 1;
        moved = true;
      }
    }
  }
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (next[s] != stages[s].size()) return false;
  }
  return true;
}

TEST(PipelineSchedules, ComeToAnEndThoughEverySendWaits) {
  for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
    for (std::uint32_t stages = 1; stages <= 6; ++stages) {
      for (std::uint32_t micro_batches = 1; micro_batches <= 9; ++micro_batches) {
        std::vector<std::vector<StageTask>> tasks;
        for (std::uint32_t s = 0; s < stages; ++s)
          tasks.push_back(pipeline_schedule(schedule, s, stages, micro_batches));
        EXPECT_TRUE(comes_to_an_end(tasks)) << stages << " stages, " << micro_batches << " micro-batches";
      }
    }
  }
}

TEST(PipelineSchedules, KeepNoMoreMicroBatchesThanAreInFlight) {
  for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
      std::uint32_t kept = 0, most = 0, forward = 0, backward = 0;
      for (const StageTask& task : pipeline_schedule(schedule, stage, 4, 8)) {
        if (task.action == StageAction::forward) {
          EXPECT_EQ(task.micro_batch, forward++);
          most = std::max(most, ++kept);
        }
        if (task.action == StageAction::backward) {
          EXPECT_EQ(task.micro_batch, backward++);
          --kept;
        }
      }
      EXPECT_EQ(most, micro_batches_in_flight(schedule, stage, 4, 8));
      EXPECT_EQ(forward, 8u);
      EXPECT_EQ(backward, 8u);
    }
  }
}

}  // namespace
}  // namespace breakeven
