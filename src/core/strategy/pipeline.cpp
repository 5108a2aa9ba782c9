// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/pipeline.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "src/core/matrix.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/strategy/gradient_costs.h"

namespace breakeven {

double layer_cost(const ModelShape& shape, std::size_t layer, std::uint32_t batch,
                  std::uint32_t micro_batches) {
  const double in = shape.widths[layer];
  const double out = shape.widths[layer + 1];
  const double products = layer == 0 ? 2 : 3;  // the batch needs no gradient
  const double flops = products * 2 * batch * in * out;
  // Each product of each micro-batch reads or writes the weights once; the update reads four arrays and
  // writes three. Activations and their gradients are written once and read twice.
  const double floats = (products * micro_batches + 7) * in * out + 3.0 * batch * (in + out);
  return flops / flops_a_byte + floats * sizeof(float);
}

std::vector<std::size_t> stage_borders(const ModelShape& shape, std::uint32_t batch,
                                       std::uint32_t micro_batches, std::size_t stages) {
  const std::size_t layers = shape.layers();
  constexpr double never = std::numeric_limits<double>::infinity();
  // longest[s][l]: of the best cut of the layers before l into s stages; cut[s][l]: where its last one
  // begins.
  std::vector longest(stages + 1, std::vector<double>(layers + 1, never));
  std::vector cut(stages + 1, std::vector<std::size_t>(layers + 1, 0));
  longest[0][0] = 0;
  for (std::size_t s = 1; s <= stages; ++s) {
    for (std::size_t end = s; end <= layers; ++end) {
      double last = 0;
      for (std::size_t begin = end; begin-- > s - 1;) {
        last += layer_cost(shape, begin, batch, micro_batches);
        const double of_cut = std::max(longest[s - 1][begin], last);
        if (of_cut < longest[s][end]) {
          longest[s][end] = of_cut;
          cut[s][end] = begin;
        }
      }
    }
  }
  std::vector<std::size_t> borders(stages + 1, layers);
  for (std::size_t s = stages; s > 0; --s) borders[s - 1] = cut[s][borders[s]];
  return borders;
}

MlpSettings pipeline_part_of(const MlpSettings& whole, std::size_t first_layer, std::size_t end_layer,
                             MicroBatches micro_batches) {
  MlpSettings part = whole;
  const auto widths = whole.shape.widths.begin();
  part.shape.widths.assign(widths + static_cast<std::ptrdiff_t>(first_layer),
                           widths + static_cast<std::ptrdiff_t>(end_layer) + 1);
  part.place.first_layer = first_layer;
  part.place.ends_model = end_layer == whole.shape.layers();
  part.micro_batches = micro_batches;
  return part;
}

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
