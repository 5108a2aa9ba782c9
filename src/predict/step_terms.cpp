// SPDX-License-Identifier: Apache-2.0
#include "src/predict/step_terms.h"

#include <cmath>
#include <numeric>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

constexpr double fp32_bytes = 4;

// Inputs and outputs of every layer: forward, and back with their gradients; and the samples.
double activation_bytes(const RankWork& work, double dtype_bytes) {
  double units = 0;
  for (std::size_t l = 0; l < work.shape.layers(); ++l)
    units += double(work.shape.widths[l]) + work.shape.widths[l + 1];
  const double of_a_row = (1 + work.forwards) * dtype_bytes * units +
                          fp32_bytes * (work.shape.inputs() + 2.0 * work.shape.outputs());
  return work.passes * work.rows * of_a_row;
}

// Every pass reads the weights forward and backward; Adam reads and writes three numbers, and writes the copy
// that 16-bit products read.
double parameter_bytes(const RankWork& work, double dtype_bytes) {
  const double copy = dtype_bytes < fp32_bytes ? dtype_bytes : 0;
  const double of_one =
      work.passes * (1 + work.forwards) * dtype_bytes + work.updated * (6 * fp32_bytes + copy);
  return of_one * static_cast<double>(work.shape.parameters());
}

double flops(const RankWork& work) {
  const double forward = 2.0 * work.rows * static_cast<double>(work.shape.parameters());
  return work.passes * (work.shape.step_flops(work.rows) + (work.forwards - 1) * forward);
}

// The terms of a rank's work in a step; the exchange's two terms are 0.
StepTerms terms_of_work(const RankWork& work, Precision precision, const Roofline& roofline) {
  const auto dtype_bytes = static_cast<double>(bytes_of(info_of(precision).dtype));
  StepTerms terms{};
  const auto at = [&](StepTerm term) -> double& { return terms[index_of(term)]; };
  at(StepTerm::start) = roofline.node_seconds;
  at(StepTerm::layers) = work.passes * static_cast<double>(work.shape.layers()) * roofline.node_seconds;
  at(StepTerm::arithmetic) = flops(work) / roofline.flops(precision);
  at(StepTerm::activations) = activation_bytes(work, dtype_bytes) / roofline.copy_bytes_per_second;
  at(StepTerm::parameters) = parameter_bytes(work, dtype_bytes) / roofline.copy_bytes_per_second;
  return terms;
}

// With a roofline of 1 everywhere a step's terms are its amounts: nodes, flops, bytes.
constexpr Roofline make_units() {
  Roofline units{.copy_bytes_per_second = 1, .launch_seconds = 1, .node_seconds = 1};
  units.flops_per_second.fill(1);
  return units;
}
constexpr Roofline units = make_units();

}  // namespace

double sum_of(const StepTerms& terms) { return std::accumulate(terms.begin(), terms.end(), 0.0); }

std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline,
                                       const MessageTimes& times) {
  return terms_of_case(what, roofline, [&](const std::vector<Message>& messages) {
    return analysis::time_of_messages(messages, what.transport, times);
  });
}

std::optional<StepTerms> terms_of_case(const Case& what, const Launch& launch) {
  if (launch.roofline.empty()) return std::nullopt;
  return terms_of_case(what, launch.roofline.front(), launch.message_times);
}

std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline,
                                       const ExchangeClock& exchange) {
  std::optional<StepTerms> longest;
  for (const int rank : ranks_that_differ(what.gpus)) {
    const auto messages = messages_of_case(what, rank);
    if (!messages) return std::nullopt;
    const StrategyChoice strategy = strategy_of_case(what);
    const MlpSettings whole = mlp_of_case(what, rank);
    const RankWork work = strategy.info->work(strategy.options, whole, rank, what.gpus);
    StepTerms terms = terms_of_work(work, whole.precision, roofline);
    if (!messages->empty()) {
      const analysis::ExchangeTime time = exchange(*messages);
      terms[index_of(StepTerm::latency)] = time.latency;
      terms[index_of(StepTerm::bandwidth)] = time.bandwidth;
    }
    if (!std::isfinite(sum_of(terms))) return std::nullopt;
    if (!longest || sum_of(terms) > sum_of(*longest)) longest = terms;
  }
  return longest;
}

Roofline stand_in_roofline(const std::vector<analysis::MeasuredCase>& cases) {
  Roofline best;
  for (const analysis::MeasuredCase& measured : cases) {
    const double seconds = measured.timed().step.mean_seconds;
    if (measured.what.gpus != 1 || !(seconds > 0)) continue;
    const auto amounts = terms_of_case(measured.what, units, MessageTimes{});
    if (!amounts) continue;
    const auto amount = [&](StepTerm term) { return (*amounts)[index_of(term)]; };
    double& flops = best.flops(measured.what.precision.value());
    const double bytes = amount(StepTerm::activations) + amount(StepTerm::parameters);
    flops = std::fmax(flops, amount(StepTerm::arithmetic) / seconds);
    best.copy_bytes_per_second = std::fmax(best.copy_bytes_per_second, bytes / seconds);
    best.node_seconds = std::fmin(best.node_seconds, seconds / amount(StepTerm::layers));
  }
  return best;
}

}  // namespace breakeven::predict
