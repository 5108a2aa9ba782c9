// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/roofline_shares.h"

#include <algorithm>
#include <cmath>

#include "src/core/failure.h"
#include "src/core/model/optimizer.h"
#include "src/core/strategy/case_strategy.h"

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

double dtype_bytes_of(const StepWork& step) {
  return static_cast<double>(bytes_of(info_of(step.precision).dtype));
}

// Samples from fp32 tables into the network's input and the targets.
PhaseWork input_work(const StepWork& step) {
  const double dtype_bytes = dtype_bytes_of(step);
  const double rows = step.rows;
  const double ins = step.shape.inputs();
  const double outs = step.shape.outputs();
  return {.bytes = rows * (ins * (fp32_bytes + dtype_bytes) + outs * 2 * fp32_bytes), .operations = 1};
}

// Inputs, weights and biases in, activations out; the loss reads the targets.
PhaseWork forward_work(const StepWork& step) {
  const double dtype_bytes = dtype_bytes_of(step);
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
PhaseWork backward_work(const StepWork& step) {
  const double dtype_bytes = dtype_bytes_of(step);
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

struct WorkOfPhase {
  Phase phase;
  PhaseWork (*work)(const StepWork& step);
};
// All whose work follows from the model, in the order of a step.
constexpr std::array works{WorkOfPhase{Phase::input, input_work}, WorkOfPhase{Phase::forward, forward_work},
                           WorkOfPhase{Phase::backward, backward_work},
                           WorkOfPhase{Phase::optimizer, optimizer_work}};

double worst(double one, double other, bool is_rate) {
  if (std::isnan(one) || std::isnan(other)) return not_measured;
  return is_rate ? std::min(one, other) : std::max(one, other);
}

void lower_to(const Roofline& other, Roofline& roofline) {
  const auto lower = [&](double Roofline::*member, bool is_rate) {
    roofline.*member = worst(roofline.*member, other.*member, is_rate);
  };
  lower(&Roofline::copy_bytes_per_second, true);
  for (std::size_t i = 0; i < precisions.size(); ++i) {
    roofline.flops_per_second[i] = worst(roofline.flops_per_second[i], other.flops_per_second[i], true);
  }
  lower(&Roofline::launch_seconds, false);
  lower(&Roofline::node_seconds, false);
}

// Of all ranks that took part, in all launches of the case.
Roofline roofline_of(const CaseSummary& summary, const Results& results) {
  std::vector<const Roofline*> all;
  for (const RecordedRun* run : summary.done) {
    const std::vector<Roofline>& measured = results.launches[run->launch].roofline;
    const auto ranks = static_cast<std::size_t>(summary.what.gpus);
    if (measured.size() < ranks) return {};
    for (std::size_t rank = 0; rank < ranks; ++rank) all.push_back(&measured[rank]);
  }
  return worst_of(all);
}

// What a device did in a step; false where the file does not say enough to know.
bool describe_step(const CaseSummary& summary, const Results& results, StepWork& step) {
  const ModelShape* shape = summary.what.model.known();
  const std::optional<Precision> precision = summary.what.precision.known();
  if (shape == nullptr || !precision) return false;
  const std::string optimizer = setting_of(results.launches[summary.done.front()->launch], "optimizer");
  const OptimizerKind kind = find_value<OptimizerKind>(optimizer).value_or(OptimizerKind::adam);
  step.shape = *shape;
  step.rows = rows_a_gpu(summary.what);
  step.precision = *precision;
  const Dtype dtype = info_of(*precision).dtype;
  const double working_copy = dtype == Dtype::fp32 ? 0 : static_cast<double>(bytes_of(dtype));
  // Gradient and parameter in, parameter out; each moment in and out.
  step.optimizer_bytes = fp32_bytes * (3 + 2 * traits_of(kind).moments) + working_copy;
  step.updates_in_backward = summary.phases.mean[index_of(Phase::optimizer)] == 0;
  return true;
}

}  // namespace

PhaseWork work_of(Phase phase, const StepWork& step) {
  const auto found = std::ranges::find(works, phase, &WorkOfPhase::phase);
  if (found == works.end())
    throw Failure(ExitCode::wrong_numbers,
                  "the work of phase " + std::string(name_of(phase)) + " does not follow from the model");
  return found->work(step);
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

Roofline worst_of(std::span<const Roofline* const> all) {
  if (all.empty()) return {};
  Roofline roofline = *all.front();
  for (const Roofline* other : all) lower_to(*other, roofline);
  return roofline;
}

RooflineShares roofline_shares_of(const CaseSummary& phases, const Results& results) {
  StepWork step;
  if (phases.done.empty() || !describe_step(phases, results, step)) return {};
  const Roofline roofline = roofline_of(phases, results);
  RooflineShares shares;
  double sum = 0;
  for (const auto& [phase, work_in] : works) {
    const double measured = phases.phases.mean[index_of(phase)];
    if (measured == 0) continue;  // done within another phase
    const Limit limit = limit_of(work_in(step), step.precision, roofline);
    if (limit.what.empty()) return shares;
    shares.phases.push_back({phase, measured, limit});
    sum += limit.seconds;
  }
  shares.limit_seconds = sum;
  return shares;
}

}  // namespace breakeven::analysis
