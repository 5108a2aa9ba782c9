// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/roofline_shares.h"

#include <algorithm>
#include <cmath>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::analysis {
namespace {

// Of all ranks that took part, in all launches of the case: the least favourable. One that was not measured
// makes it not measured.
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
  step.shape = *shape;
  step.rows = rows_a_gpu(summary.what);
  step.precision = *precision;
  const double working_copy = info_of(*precision).dtype == Dtype::fp32 ? 0 : 2;
  step.optimizer_bytes = (optimizer == "sgd" ? 12 : 28) + working_copy;
  step.updates_in_backward = summary.phases.mean[index_of(Phase::optimizer)] == 0;
  return true;
}

}  // namespace

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
  for (const Phase phase : limited_phases) {
    const double measured = phases.phases.mean[index_of(phase)];
    if (measured == 0) continue;  // done within another phase
    const Limit limit = limit_of(work_of(phase, step), step.precision, roofline);
    if (limit.what.empty()) return shares;
    shares.phases.push_back({phase, measured, limit});
    sum += limit.seconds;
  }
  shares.limit_seconds = sum;
  return shares;
}

}  // namespace breakeven::analysis
