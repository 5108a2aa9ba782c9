// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/speedup_bounds.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/one_gpu.h"
#include "src/core/strategy/description.h"

namespace breakeven::analysis {
namespace {

// The serial share of the base's step at batch B, by t(b) = serial + b x slope through t(B) and t(B / N).
double serial_share_by_rows(const Comparison& comparison, const MeasuredCase& at_rows, int gpus) {
  const double whole = comparison.base_timed->step.mean_seconds;
  const bool by_phases = comparison.base_timed->what.timing == Timing::phases;
  const CaseSummary* rows = by_phases ? at_rows.phases : at_rows.total;
  if (!is_done(rows)) return not_measured;
  return (gpus * rows->step.mean_seconds / whole - 1) / (gpus - 1);
}

double serial_share_by_phases(const MeasuredCase& base) {
  if (!is_done(base.phases)) return not_measured;
  const PhaseSeconds& mean = base.phases->phases.mean;
  return (mean[index_of(Phase::overhead)] + mean[index_of(Phase::optimizer)]) / mean[index_of(Phase::step)];
}

void bound_by_serial_part(const MeasuredCase& measured, const Comparison& comparison,
                          const std::vector<MeasuredCase>& cases, SpeedupBounds& bounds) {
  const Case& what = measured.what;
  if (!has_rows_of_one_gpu(what) || what.scaling != Scaling::strong) return;
  const MeasuredCase* at_rows = single_at_rows(what, comparison.base->what, cases);
  if (at_rows != nullptr) bounds.serial_share = serial_share_by_rows(comparison, *at_rows, what.gpus);
  bounds.serial_by_rows = !std::isnan(bounds.serial_share);
  if (!bounds.serial_by_rows) bounds.serial_share = serial_share_by_phases(*comparison.base);
  bounds.amdahl = 1 / (bounds.serial_share + (1 - bounds.serial_share) / what.gpus);
}

bool exchanges_beside_compute(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  if (strategy == nullptr) return false;
  const StrategyTraits& traits = strategy->info->traits;
  return traits.overlaps || strategy->options.bucket_bytes > 0 ||
         (traits.joins_update && traits_of(what.transport).joins_update);
}

double link_bound(const Case& what, const Comparison& comparison,
                  const std::optional<CaseExchange>& exchange) {
  if (!exchange) return not_measured;
  const double ideal = ideal_share(what, comparison.base->what) * comparison.base_timed->step.mean_seconds;
  const double bytes = exchange->formula.bandwidth;
  if (std::isnan(bytes)) return not_measured;
  return what.gpus * ideal / (exchanges_beside_compute(what) ? std::max(ideal, bytes) : ideal + bytes);
}

}  // namespace

SpeedupBounds bounds_of(const MeasuredCase& measured, const Comparison& comparison,
                        const std::vector<MeasuredCase>& cases, const std::optional<CaseExchange>& exchange) {
  SpeedupBounds bounds;
  bounds.ideal = measured.what.gpus;
  if (comparison.timed == nullptr || comparison.base_timed == nullptr) return bounds;
  bound_by_serial_part(measured, comparison, cases, bounds);
  bounds.link = link_bound(measured.what, comparison, exchange);
  return bounds;
}

}  // namespace breakeven::analysis
