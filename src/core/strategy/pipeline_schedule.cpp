// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/pipeline_schedule.h"

#include <algorithm>

namespace breakeven {
namespace {

class Tasks {
 public:
  Tasks(std::uint32_t stage, std::uint32_t stages) : is_first_(stage == 0), is_last_(stage + 1 == stages) {}

  void receive_input(std::uint32_t micro_batch) {
    if (!is_first_) list_.push_back({StageAction::receive_input, micro_batch});
  }
  void forward(std::uint32_t micro_batch) {
    list_.push_back({StageAction::forward, micro_batch});
    if (!is_last_) list_.push_back({StageAction::send_output, micro_batch});
  }
  void backward(std::uint32_t micro_batch) {
    if (!is_last_) list_.push_back({StageAction::receive_gradient, micro_batch});
    list_.push_back({StageAction::backward, micro_batch});
  }
  void send_gradient(std::uint32_t micro_batch) {
    if (!is_first_) list_.push_back({StageAction::send_gradient, micro_batch});
  }
  std::vector<StageTask> take() { return std::move(list_); }

 private:
  bool is_first_;
  bool is_last_;
  std::vector<StageTask> list_;
};

}  // namespace

std::uint32_t micro_batches_in_flight(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                      std::uint32_t micro_batches) {
  return schedule == PipelineSchedule::gpipe ? micro_batches : std::min(stages - stage, micro_batches);
}

std::vector<StageTask> pipeline_schedule(PipelineSchedule schedule, std::uint32_t stage, std::uint32_t stages,
                                         std::uint32_t micro_batches) {
  Tasks tasks(stage, stages);
  const std::uint32_t ahead = micro_batches_in_flight(schedule, stage, stages, micro_batches);
  for (std::uint32_t m = 0; m < ahead; ++m) {
    tasks.receive_input(m);
    tasks.forward(m);
  }
  // The stage before sends the next input before it takes a gradient, so the input is received first.
  for (std::uint32_t m = 0; m < micro_batches; ++m) {
    tasks.backward(m);
    const std::uint32_t next = m + ahead;
    if (next < micro_batches) tasks.receive_input(next);
    tasks.send_gradient(m);
    if (next < micro_batches) tasks.forward(next);
  }
  return tasks.take();
}

}  // namespace breakeven
