// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/pipeline_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/model/pipeline_stages.h"

namespace breakeven {
namespace {

std::size_t gradient_bytes(const ReplicaSettings& part) {
  return part.micro_batches.count > 1 ? ParameterLayout(part.shape).floats() * sizeof(float) : 0;
}

std::size_t losses_bytes(const ReplicaSettings& part) {
  const std::uint32_t count = part.micro_batches.count;
  return part.place.ends_model && count > 1 ? count * part.total_steps * sizeof(float) : 0;
}

Phase phase_of(StageAction action) {
  return action == StageAction::forward    ? Phase::forward
         : action == StageAction::backward ? Phase::backward
                                           : Phase::exchange;
}

// Neighbours that are of one phase are one stretch of it.
std::vector<Phase> phases_of(const std::vector<StageTask>& tasks) {
  std::vector<Phase> phases{Phase::input};
  for (const StageTask& task : tasks) {
    const Phase phase = phase_of(task.action);
    if (phase != phases.back()) phases.push_back(phase);
  }
  return phases;
}

// What is sent of a matrix, in floats, of whatever element.
struct Payload {
  float* data;
  std::size_t floats;
};
Payload payload_of(const Matrix& matrix) {
  return {matrix.as<float>(),
          static_cast<std::size_t>(matrix.rows * matrix.ld * bytes_of(matrix.element)) / sizeof(float)};
}

}  // namespace

std::uint32_t micro_batches_of(const StrategyOptions& options, int stages) {
  return options.micro_batches > 0 ? options.micro_batches : static_cast<std::uint32_t>(stages);
}

ReplicaSettings pipeline_part_of_rank(const StrategyOptions& options, const ReplicaSettings& whole, int rank,
                                      int stages) {
  const std::uint32_t count = micro_batches_of(options, stages);
  const auto stage = static_cast<std::uint32_t>(rank);
  const auto ranks = static_cast<std::uint32_t>(stages);
  const auto borders = stage_borders(whole.shape, whole.rows, count, ranks);
  return pipeline_part_of(whole, borders[stage], borders[stage + 1],
                          {count, micro_batches_in_flight(options.schedule, stage, ranks, count)});
}

std::size_t PipelineStage::bytes_needed(const ReplicaSettings& part) {
  const std::size_t losses = losses_bytes(part);
  return gradient_bytes(part) + losses + (losses > 0 ? sizeof(StepState) : 0);
}

std::vector<Message> PipelineStage::messages(const StrategyOptions& options, const ReplicaSettings& whole,
                                             int rank, int stages) {
  const ReplicaSettings part = pipeline_part_of_rank(options, whole, rank, stages);
  const std::uint32_t count = part.micro_batches.count;
  std::vector<Message> messages;
  // Activations one way and their gradients the other; the same for both.
  const auto add_border = [&](std::uint32_t width) {
    const std::uint64_t values = whole.rows / count * static_cast<std::uint64_t>(padded_width(width));
    for (const Collective kind : {Collective::send, Collective::receive})
      messages.push_back({kind, values * whole.element_bytes(), 2, count});
  };
  if (rank > 0) add_border(part.shape.widths.front());
  if (rank + 1 < stages) add_border(part.shape.widths.back());
  return messages;
}

std::string pipeline_split_refusal(const StrategyOptions& options, const ModelShape& shape,
                                   std::uint32_t batch, int stages) {
  const auto layers = static_cast<int>(shape.layers());
  if (stages > layers)
    return fmt::format("a stage has a layer at least, so of {} layers there are 1 to {} stages, not {}",
                       layers, layers, stages);
  const std::uint32_t count = micro_batches_of(options, stages);
  if (batch % count == 0) return "";
  return fmt::format("{} samples do not divide into {} micro-batches", batch, count);
}

PipelineStage::PipelineStage(Device& device, Communicator& group, const StrategyOptions& options,
                             const ReplicaSettings& whole)
    : device_(device),
      group_(group),
      part_(pipeline_part_of_rank(options, whole, group.rank(), group.size())),
      whole_layout_(whole.shape),
      tasks_(pipeline_schedule(options.schedule, static_cast<std::uint32_t>(group.rank()),
                               static_cast<std::uint32_t>(group.size()), part_.micro_batches.count)),
      phases_(phases_of(tasks_)) {
  if (part_.micro_batches.count == 1) return;
  micro_gradient_ = Buffer(device, gradient_bytes(part_), false, "gradient of a micro-batch");
  if (!is_last()) return;
  micro_losses_ = Buffer(device, losses_bytes(part_), false, "losses of micro-batches");
  no_loss_scale_ = Buffer(device, sizeof(StepState), false, "no loss scale");
  const StepState state;
  const std::unique_ptr<Stream> stream = device.make_stream();
  device.copy(no_loss_scale_.as<>(), &state, sizeof state, *stream);
  stream->synchronize();
}

void PipelineStage::make_gradient(Replica& replica, const BatchSource& source, PhaseMarks& marks,
                                  Stream& stream) {
  marks.begin(stream);
  load_batch(replica, source, stream);
  Phase running = Phase::input;
  for (const StageTask& task : tasks_) {
    if (phase_of(task.action) != running) marks.end_of(running, stream);
    running = phase_of(task.action);
    run(task, replica, stream);
  }
  if (is_last() && part_.micro_batches.count > 1) {
    // Column by column: what the micro-batches of each step add up to.
    const ConstMatrix losses(micro_losses_.as<>(), part_.micro_batches.count, part_.total_steps,
                             part_.total_steps);
    device_.bias_gradient(losses, no_loss_scale_.as<StepState>(), replica.losses().data(), stream);
  }
  marks.end_of(running, stream);
}

// The first stage has use for the features, the last for the targets.
void PipelineStage::load_batch(Replica& replica, BatchSource source, Stream& stream) {
  if (!is_first() && !is_last()) return;
  const Activations& batch = replica.activations();
  Matrix features{nullptr, part_.rows, 0, 0, part_.element()};
  Matrix target{nullptr, part_.rows, 0, 0, Element::fp32};
  if (is_first()) features = batch.input(0);
  if (is_last()) target = batch.target();
  device_.load_batch(source, replica.step_state(), features, target, stream);
}

void PipelineStage::run(const StageTask& task, Replica& replica, Stream& stream) {
  const Activations batch = replica.activations().of_micro_batch(task.micro_batch);
  const std::size_t last = part_.shape.layers() - 1;
  const int before = group_.rank() - 1;
  const int behind = group_.rank() + 1;
  const Payload input = payload_of(batch.input(0));
  const Payload output = payload_of(batch.output());
  const Payload gradient = payload_of(batch.gradient(last));
  const Payload input_gradient = payload_of(batch.input_gradient());
  switch (task.action) {
    case StageAction::receive_input:
      return group_.receive(input.data, input.floats, before, stream);
    case StageAction::send_output:
      return group_.send(output.data, output.floats, behind, stream);
    case StageAction::receive_gradient:
      return group_.receive(gradient.data, gradient.floats, behind, stream);
    case StageAction::send_gradient:
      return group_.send(input_gradient.data, input_gradient.floats, before, stream);
    case StageAction::forward:
      return forward(task.micro_batch, replica, stream);
    case StageAction::backward:
      return backward(task.micro_batch, replica, stream);
  }
}

// A step's place in the history, whatever the step is: the sums are made of the whole history.
std::span<float> PipelineStage::losses_of(std::uint32_t micro_batch) const {
  return {micro_losses_.as<>() + std::size_t{micro_batch} * part_.total_steps, part_.total_steps};
}

void PipelineStage::forward(std::uint32_t micro_batch, Replica& replica, Stream& stream) {
  ReplicaSettings settings = part_;
  settings.first_sample += micro_batch * (part_.rows / part_.micro_batches.count);
  const Activations batch = replica.activations().of_micro_batch(micro_batch);
  const LayerProducts products(settings, replica.state(), batch);
  const std::size_t hidden = part_.shape.layers() - (is_last() ? 1 : 0);
  for (std::size_t l = 0; l < hidden; ++l)
    device_.gemm(products.hidden_layer(l, part_.shape.dropout), stream);
  if (!is_last()) return;
  const bool all = part_.micro_batches.count == 1;
  forward_with_loss(batch, products, replica, all ? replica.losses() : losses_of(micro_batch), stream);
}

void PipelineStage::forward_with_loss(const Activations& batch, const LayerProducts& products,
                                      Replica& replica, std::span<float> losses, Stream& stream) {
  if (part_.loss == LossKind::mean_squared_error)
    return device_.gemm(products.output_layer_with_loss(losses), stream);
  device_.gemm(products.output_layer(), stream);
  device_.softmax_cross_entropy(batch.output(), batch.target(), part_.loss_divisor(),
                                replica.state().step_state(), batch.gradient(part_.shape.layers() - 1),
                                losses, stream);
}

void PipelineStage::backward(std::uint32_t micro_batch, Replica& replica, Stream& stream) {
  const Activations batch = replica.activations().of_micro_batch(micro_batch);
  const LayerProducts products(part_, replica.state(), batch);
  const std::span<float> sum = replica.gradients();
  const bool adds = micro_batch > 0;
  const std::span<float> gradients = adds ? std::span(micro_gradient_.as<>(), sum.size()) : sum;
  for (std::size_t l = part_.shape.layers(); l-- > 0;) {
    device_.gemm(products.weight_gradient(l, gradients), stream);
    if (l > 0 || !is_first()) device_.gemm(products.data_gradient(l), stream);
  }
  if (adds) device_.add(sum.size(), gradients.data(), sum.data(), stream);
}

void PipelineStage::gather_parameters(Replica& replica, std::span<float> whole, Stream& stream) {
  device_.fill_zero(whole.data(), whole.size_bytes(), stream);
  for (std::size_t l = 0; l < part_.shape.layers(); ++l) {
    place_weight(device_, replica, whole_layout_, l, whole, stream);
    place_bias(device_, replica, whole_layout_, l, whole, stream);
  }
  group_.all_reduce_sum(whole.data(), whole.size(), stream);
}

}  // namespace breakeven
