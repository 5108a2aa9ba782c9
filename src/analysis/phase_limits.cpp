// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/phase_limits.h"

#include "src/core/failure.h"

namespace breakeven::analysis {
namespace {

constexpr double fp32_bytes = 4;

struct Layer {
  double ins;
  double outs;
  bool first;
  double weights() const { return ins * outs; }
};

template <typename Add>
PhaseWork sum_over_layers(const ModelShape& shape, Add add) {
  PhaseWork work;
  for (std::size_t l = 0; l < shape.layers(); ++l)
    add(Layer{double(shape.widths[l]), double(shape.widths[l + 1]), l == 0}, work);
  return work;
}

// Samples from fp32 tables into the network's input and the targets.
PhaseWork input_work(const StepWork& step, double dtype_bytes) {
  const double rows = step.rows;
  const double ins = step.shape.inputs();
  const double outs = step.shape.outputs();
  return {.bytes = rows * (ins * (fp32_bytes + dtype_bytes) + outs * 2 * fp32_bytes), .operations = 1};
}

// Inputs, weights and biases in, activations out; the loss reads the targets.
PhaseWork forward_work(const StepWork& step, double dtype_bytes) {
  const double rows = step.rows;
  PhaseWork work = sum_over_layers(step.shape, [&](const Layer& layer, PhaseWork& sum) {
    sum.bytes += dtype_bytes * (rows * (layer.ins + layer.outs) + layer.weights()) + fp32_bytes * layer.outs;
    sum.flops += 2 * rows * layer.weights();
    sum.operations += 1;
  });
  work.bytes += fp32_bytes * rows * step.shape.outputs();
  return work;
}

// Gradients of outputs and activations in; gradients of parameters out, or updated with no gradient stored;
// and of all layers but the first the weights in and the gradient of the layer's input out.
PhaseWork backward_work(const StepWork& step, double dtype_bytes) {
  const double rows = step.rows;
  const double parameter_bytes = step.updates_in_backward ? step.optimizer_bytes - fp32_bytes : fp32_bytes;
  return sum_over_layers(step.shape, [&](const Layer& layer, PhaseWork& sum) {
    sum.bytes +=
        dtype_bytes * rows * (layer.ins + layer.outs) + parameter_bytes * (layer.weights() + layer.outs);
    sum.flops += 2 * rows * layer.weights();
    sum.operations += 1;
    if (layer.first) return;
    sum.bytes += dtype_bytes * (layer.weights() + rows * layer.ins);
    sum.flops += 2 * rows * layer.weights();
  });
}

PhaseWork optimizer_work(const StepWork& step) {
  if (step.updates_in_backward) return {};
  return {.bytes = step.optimizer_bytes * static_cast<double>(step.shape.parameters()), .operations = 1};
}

}  // namespace

PhaseWork work_of(Phase phase, const StepWork& step) {
  const auto dtype_bytes = static_cast<double>(bytes_of(info_of(step.precision).dtype));
  switch (phase) {
    case Phase::input:
      return input_work(step, dtype_bytes);
    case Phase::forward:
      return forward_work(step, dtype_bytes);
    case Phase::backward:
      return backward_work(step, dtype_bytes);
    case Phase::optimizer:
      return optimizer_work(step);
    default:
      throw Failure(ExitCode::wrong_numbers,
                    "the work of phase " + std::string(name_of(phase)) + " does not follow from the model");
  }
}

Limit limit_of(const PhaseWork& work, Precision precision, const Roofline& roofline) {
  const double memory = work.bytes / roofline.copy_bytes_per_second;
  const double arithmetic = work.flops / roofline.flops(precision);
  const double latency = work.operations * roofline.node_seconds;
  const bool measured = memory >= 0 && latency >= 0 && (work.flops == 0 || arithmetic >= 0);  // NaN fails
  if (!measured) return {};
  Limit limit{latency, "latency"};
  if (memory >= limit.seconds) limit = {memory, "memory"};
  if (arithmetic >= limit.seconds) limit = {arithmetic, "arithmetic"};
  return limit;
}

}  // namespace breakeven::analysis
