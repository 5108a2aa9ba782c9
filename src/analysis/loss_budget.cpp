// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/loss_budget.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/one_gpu.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven::analysis {
namespace {

double seconds_of(const CaseSummary& phases, Phase phase) { return phases.phases.mean[index_of(phase)]; }

double compute_of(const CaseSummary& phases) {
  double sum = 0;
  for (const PhaseInfo& info : breakeven::phases)
    if (info.is_compute) sum += seconds_of(phases, info.phase);
  return sum;
}

// Null: not measured.
struct Sources {
  const MeasuredCase* measured;
  const MeasuredCase* base;
  double share;                  // ideal_share()
  const MeasuredCase* single;    // at a rank's rows
  const MeasuredCase* strategy;  // on one GPU at a rank's rows
  const std::optional<CaseExchange>& exchange;
};

bool all_have_phases(const Sources& of) { return is_done(of.measured->phases) && is_done(of.base->phases); }

// The compute time that a clock as high as the baseline's would save.
double clock_drop_of(const Sources& of) {
  const CaseSummary& phases = *of.measured->phases;
  return compute_of(phases) * (1 - phases.readings.sm_clock_hz / of.base->phases->readings.sm_clock_hz);
}

void split_compute(const Sources& of, LossBudget& budget) {
  const double above = compute_of(*of.measured->phases) - of.share * compute_of(*of.base->phases);
  budget[LossPart::clock_drop] = clock_drop_of(of);
  const double slowed = std::isfinite(budget[LossPart::clock_drop]) ? budget[LossPart::clock_drop] : 0;
  if (of.single == nullptr || !is_done(of.single->phases)) {
    budget[LossPart::compute] = above - slowed;
    return;
  }
  const double single = compute_of(*of.single->phases);
  budget[LossPart::gemm_efficiency] = single - of.share * compute_of(*of.base->phases);
  budget.strategy_overhead_measured = of.strategy != nullptr && is_done(of.strategy->phases);
  budget[LossPart::strategy_overhead] = budget.strategy_overhead_measured
                                            ? compute_of(*of.strategy->phases) - single
                                            : above - slowed - budget[LossPart::gemm_efficiency];
}

void split_exchange(const Sources& of, LossBudget& budget) {
  const double measured =
      seconds_of(*of.measured->phases, Phase::exchange) + seconds_of(*of.measured->phases, Phase::broadcast);
  const double latency_share =
      of.exchange ? of.exchange->formula.latency / of.exchange->formula.seconds() : not_measured;
  if (!std::isfinite(latency_share)) {
    budget[LossPart::exchange] = measured;
    return;
  }
  budget[LossPart::exchange_latency] = latency_share * measured;
  budget[LossPart::exchange_bandwidth] = measured - budget[LossPart::exchange_latency];
}

// The ranks' mean of the phase, and the difference of the slowest rank's step, which counts, to the ranks'
// mean.
double waiting_of(const CaseSummary& phases) {
  const double wait = seconds_of(phases, Phase::wait);
  if (!traits_of(phases.what).in_step) return wait;  // there the ranks' mean counts
  return wait + phases.step.whole_mean_seconds - seconds_of(phases, Phase::step);
}

double above_total(const MeasuredCase& measured) {
  return measured.phases->step.mean_seconds - measured.total->step.mean_seconds;
}

void split_by_phases(const Sources& of, LossBudget& budget) {
  const CaseSummary& phases = *of.measured->phases;
  budget.by_phases = true;
  split_compute(of, budget);
  split_exchange(of, budget);
  budget[LossPart::launch_gaps] =
      seconds_of(phases, Phase::overhead) - of.share * seconds_of(*of.base->phases, Phase::overhead);
  budget[LossPart::waiting] = waiting_of(phases);
  // Without runs of `total`, the budget explains the step of `phases`.
  if (is_done(of.measured->total) && is_done(of.base->total))
    budget[LossPart::timing_overhead] = of.share * above_total(*of.base) - above_total(*of.measured);
}

void split_by_total(const Sources& of, LossBudget& budget) {
  if (of.single == nullptr || !is_done(of.single->total)) return;
  const double single = of.single->total->step.mean_seconds;
  budget[LossPart::gemm_efficiency] = single - budget.ideal;
  budget.strategy_overhead_measured = of.strategy != nullptr && is_done(of.strategy->total);
  if (budget.strategy_overhead_measured)
    budget[LossPart::strategy_overhead] = of.strategy->total->step.mean_seconds - single;
}

double unexplained_of(const LossBudget& budget) {
  constexpr double rounding = 1e-12;  // of the step: what sums of doubles leave
  double seconds = budget.whole;
  for (const double part : budget.parts) seconds -= std::isfinite(part) ? part : 0;
  return std::abs(seconds) <= rounding * budget.step ? 0 : seconds;
}

LossBudget whole_of(const Comparison& comparison, double share) {
  LossBudget budget;
  const StepTimes& base = comparison.base_timed->step;
  budget.step = comparison.timed->step.mean_seconds;
  budget.ideal = share * base.mean_seconds;
  budget.whole = budget.step - budget.ideal;
  budget.whole_half_width =
      std::hypot(comparison.timed->step.interval.half_width(), share * base.interval.half_width());
  return budget;
}

}  // namespace

bool LossBudget::has_parts() const {
  return std::any_of(parts.begin(), parts.end() - 1, [](double part) { return std::isfinite(part); });
}

bool LossBudget::explains_the_whole() const {
  return by_phases && std::abs((*this)[LossPart::unexplained]) <= whole_half_width;
}

std::optional<LossPart> LossBudget::by_construction() const {
  if (!by_phases) return std::nullopt;
  if (std::isfinite((*this)[LossPart::compute])) return LossPart::compute;
  return strategy_overhead_measured ? LossPart::unexplained : LossPart::strategy_overhead;
}

std::optional<LossCause> LossBudget::largest_cause() const {
  if (!by_phases || !is_shown()) return std::nullopt;
  std::vector<LossCause> causes;
  for (const LossPartInfo& info : loss_parts) {
    const double seconds = (*this)[info.part];
    if (info.cause.empty() || !std::isfinite(seconds)) continue;
    if (causes.empty() || causes.back().name != info.cause) causes.push_back({info.cause, 0});
    causes.back().seconds += seconds;
  }
  const auto largest = std::ranges::max_element(causes, {}, &LossCause::seconds);
  return largest == causes.end() ? std::nullopt : std::optional(*largest);
}

std::optional<LossBudget> loss_budget_of(const MeasuredCase& measured, const Comparison& comparison,
                                         const std::vector<MeasuredCase>& cases,
                                         const std::optional<CaseExchange>& exchange) {
  if (comparison.timed == nullptr || comparison.base_timed == nullptr) return std::nullopt;
  const Case& what = measured.what;
  const Case& base = comparison.base->what;
  const Sources of{.measured = &measured,
                   .base = comparison.base,
                   .share = ideal_share(what, base),
                   .single = single_at_rows(what, base, cases),
                   .strategy = strategy_at_rows(what, cases),
                   .exchange = exchange};
  LossBudget budget = whole_of(comparison, of.share);
  if (all_have_phases(of)) {
    split_by_phases(of, budget);
    budget[LossPart::unexplained] = unexplained_of(budget);
  } else {
    split_by_total(of, budget);
  }
  return budget;
}

}  // namespace breakeven::analysis
