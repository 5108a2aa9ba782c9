// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/pipeline_stage.h"

#include "src/core/strategy/pipeline.h"

namespace breakeven::strategy {
namespace {

Phase phase_of(StageAction action) {
  return action == StageAction::forward    ? Phase::forward
         : action == StageAction::backward ? Phase::backward
                                           : Phase::exchange;
}

// Consecutive tasks of the same phase are marked as one.
std::vector<Phase> phases_of(const std::vector<StageTask>& tasks) {
  std::vector<Phase> phases{Phase::input};
  for (const StageTask& task : tasks) {
    const Phase phase = phase_of(task.action);
    if (phase != phases.back()) phases.push_back(phase);
  }
  return phases;
}

// A matrix of any dtype as a message: communicators count in floats.
struct Payload {
  float* data;
  std::size_t floats;
};
Payload payload_of(const Matrix& matrix) {
  return {matrix.as<float>(),
          static_cast<std::size_t>(matrix.rows * matrix.ld * bytes_of(matrix.dtype)) / sizeof(float)};
}

}  // namespace

PipelineStage::PipelineStage(Device& device, Communicator& group, const StrategyOptions& options,
                             const MlpSettings& whole)
    : device_(device),
      group_(group),
      part_(pipeline_part_of_rank(options, whole, group.rank(), group.size())),
      whole_layout_(whole.shape),
      tasks_(pipeline_schedule(options.schedule, static_cast<std::uint32_t>(group.rank()),
                               static_cast<std::uint32_t>(group.size()), part_.micro_batches.count)),
      phases_(phases_of(tasks_)) {}

void PipelineStage::make_gradient(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks,
                                  Stream& stream) {
  marks.begin(stream);
  load_batch(mlp, source, stream);
  Phase running = Phase::input;
  for (const StageTask& task : tasks_) {
    if (phase_of(task.action) != running) marks.end_of(running, stream);
    running = phase_of(task.action);
    run(task, mlp, stream);
  }
  marks.end_of(running, stream);
}

// The first stage needs the features, the last one the targets.
void PipelineStage::load_batch(model::Mlp& mlp, BatchSource source, Stream& stream) {
  if (!is_first() && !is_last()) return;
  const ActivationViews& batch = mlp.activations();
  Matrix features{nullptr, part_.rows, 0, 0, part_.dtype()};
  Matrix target{nullptr, part_.rows, 0, 0, Dtype::fp32};
  if (is_first()) features = batch.input(0);
  if (is_last()) target = batch.target();
  device_.load_batch(source, mlp.step_state(), features, target, stream);
}

void PipelineStage::run(const StageTask& task, model::Mlp& mlp, Stream& stream) {
  const ActivationViews batch = mlp.activations().of_micro_batch(task.micro_batch);
  const std::size_t last = part_.shape.layers() - 1;
  const int previous = group_.rank() - 1;
  const int next = group_.rank() + 1;
  const Payload input = payload_of(batch.input(0));
  const Payload output = payload_of(batch.output());
  const Payload gradient = payload_of(batch.gradient(last));
  const Payload input_gradient = payload_of(batch.input_gradient());
  switch (task.action) {
    case StageAction::receive_input:
      return group_.receive(input.data, input.floats, previous, stream);
    case StageAction::send_output:
      return group_.send(output.data, output.floats, next, stream);
    case StageAction::receive_gradient:
      return group_.receive(gradient.data, gradient.floats, next, stream);
    case StageAction::send_gradient:
      return group_.send(input_gradient.data, input_gradient.floats, previous, stream);
    case StageAction::forward:
      return mlp.forward(task.micro_batch, model::Mlp::no_hook, stream);
    case StageAction::backward:
      return mlp.backward(task.micro_batch, model::Mlp::no_hook, model::Mlp::no_hook, stream);
  }
}

void PipelineStage::gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) {
  device_.fill_zero(whole.data(), whole.size_bytes(), stream);
  for (std::size_t l = 0; l < part_.shape.layers(); ++l) {
    place_weight(device_, mlp, whole_layout_, l, whole, stream);
    place_bias(device_, mlp, whole_layout_, l, whole, stream);
  }
  group_.all_reduce_sum(whole.data(), whole.size(), stream);
}

}  // namespace breakeven::strategy
