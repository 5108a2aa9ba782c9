// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_change.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/core/axes.h"
#include "src/statistics/payoff.h"
#include "src/statistics/sample.h"
#include "src/statistics/sample_size.h"

namespace breakeven::analysis {
namespace {

// [launch]: the mean of its runs.
std::vector<double> launch_means(const CaseSummary& summary) {
  std::vector<std::uint32_t> launches;
  for (const RecordedRun* run : summary.done) launches.push_back(run->launch);
  return statistics::means_of_launches(launches, summary.step.run_means);
}

UnitStep step_of(std::span<const double> logs) {
  return {std::exp(statistics::mean(logs)), statistics::standard_deviation(logs)};
}

CaseChange not_compared(const CaseSummary& before, const CaseSummary& after) {
  CaseChange change;
  change.what = after.what;
  change.before = &before;
  change.after = &after;
  return change;
}

CaseChange change_between(const CaseSummary& before, const CaseSummary& after) {
  std::vector<double> old_seconds = launch_means(before);
  std::vector<double> new_seconds = launch_means(after);
  CaseChange change = not_compared(before, after);
  change.unit = statistics::SamplingUnit::launch;
  if (old_seconds.size() == 1 && new_seconds.size() == 1) {
    change.unit = statistics::SamplingUnit::run;
    old_seconds = before.step.run_means;
    new_seconds = after.step.run_means;
  }
  const std::vector<double> old_logs = statistics::logarithms(old_seconds);
  const std::vector<double> new_logs = statistics::logarithms(new_seconds);
  change.old_step = step_of(old_logs);
  change.new_step = step_of(new_logs);
  change.is_one_recording = before.step.run_means == after.step.run_means;  // NaN: no
  change.log_ratio = change.is_one_recording
                         ? statistics::DifferenceEstimate{{0, 0, 0, old_logs.size()}, 0, 1}
                         : statistics::welch_difference(old_logs, new_logs);
  change.ratio = statistics::exponential(change.log_ratio.difference);
  return change;
}

Change change_of(const statistics::Interval& ratio, double tolerance) {
  if (!std::isfinite(ratio.centre)) return Change::not_measured;
  if (ratio.low > 1 + tolerance) return Change::faster;
  if (ratio.high < 1 - tolerance) return Change::slower;
  if (ratio.low >= 1 - tolerance && ratio.high <= 1 + tolerance) return Change::same;
  return Change::unclear;
}

// The same case with the same settings of NCCL; or with other settings where the file has it with one only,
// to compare settings.
const MeasuredCase* counterpart_of(const MeasuredCase& now, const std::vector<MeasuredCase>& before) {
  const MeasuredCase* found = nullptr;
  std::size_t count = 0;
  for (const MeasuredCase& then : before) {
    if (then.what == now.what) return &then;
    if (!are_alike_but_for(then.what, now.what, {Axis::nccl})) continue;
    found = &then;
    ++count;
  }
  return count == 1 ? found : nullptr;
}

// Both files planned it, and at least one measured it, but they cannot be compared.
bool is_measured_in_vain(const CaseSummary* before, const CaseSummary* after) {
  if (before == nullptr || after == nullptr) return false;
  return is_done(before) != is_done(after) || has_fault(*before) || has_fault(*after);
}

// The probability of a false regression.
double chance_of_regression(const CaseChange& change, double border) {
  const double chance = chance_beyond(change, border);
  return change.ratio.centre < border || std::isnan(chance) ? chance : 1;
}

GateVerdict verdict_of(const CaseChange& change, double border, bool is_confirmed) {
  if (change.ratio.low > border) return GateVerdict::holds;
  if (change.ratio.high < border && is_confirmed) return GateVerdict::regression;
  return GateVerdict::inconclusive;
}

}  // namespace

std::vector<CaseChange> compare_files(const std::vector<MeasuredCase>& before,
                                      const std::vector<MeasuredCase>& after, double tolerance) {
  std::vector<CaseChange> changes;
  for (const MeasuredCase& now : after) {
    const MeasuredCase* then = counterpart_of(now, before);
    if (then == nullptr) continue;
    if (is_done(then->total) && is_done(now.total)) {
      changes.push_back(change_between(*then->total, *now.total));
    } else if (is_done(then->phases) && is_done(now.phases)) {
      changes.push_back(change_between(*then->phases, *now.phases));
    } else if (is_measured_in_vain(then->total, now.total)) {
      changes.push_back(not_compared(*then->total, *now.total));
    } else if (is_measured_in_vain(then->phases, now.phases)) {
      changes.push_back(not_compared(*then->phases, *now.phases));
    }
  }
  std::vector<double> chances;
  for (const CaseChange& change : changes)
    chances.push_back(std::max(chance_beyond(change, 1 + tolerance), chance_beyond(change, 1 - tolerance)));
  const std::vector<statistics::HolmLevel> levels =
      statistics::holm_levels(chances, 1 - statistics::confidence);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Change& change = changes[i].change = change_of(changes[i].ratio, tolerance);
    if ((change == Change::faster || change == Change::slower) && !levels[i].holds) change = Change::unclear;
  }
  return changes;
}

double chance_beyond(const CaseChange& change, double border) {
  const auto& [logs, error, degrees_of_freedom] = change.log_ratio;
  if (!logs.has_bounds()) return not_measured;
  const double room = std::abs(logs.centre - std::log(border));
  return error == 0 ? 0 : statistics::t_probability(room / error, degrees_of_freedom);
}

std::string_view word_of(Change change) {
  constexpr std::array<std::string_view, 5> words{"NOT MEASURED", "UNCLEAR", "SAME", "FASTER", "SLOWER"};
  return words[static_cast<std::size_t>(change)];
}

std::vector<GateCheck> check_gate(const std::vector<CaseChange>& changes, double gate) {
  const double border = 1 - gate;
  std::vector<double> chances;
  for (const CaseChange& change : changes) chances.push_back(chance_of_regression(change, border));
  const std::vector<statistics::HolmLevel> levels =
      statistics::holm_levels(chances, 1 - statistics::confidence);
  std::vector<GateCheck> checks;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const CaseChange& change = changes[i];
    checks.push_back({verdict_of(change, border, levels[i].holds),
                      statistics::units_to_see({.size = std::log(border),
                                                .one_deviation = change.old_step.log_deviation,
                                                .other_deviation = change.new_step.log_deviation})});
  }
  return checks;
}

GateVerdict worst_of(const std::vector<GateCheck>& checks) {
  if (checks.empty()) return GateVerdict::inconclusive;
  return std::ranges::max(checks, {}, &GateCheck::verdict).verdict;
}

std::string_view word_of(GateVerdict verdict) {
  constexpr std::array<std::string_view, 3> words{"holds", "inconclusive", "regression"};
  return words[static_cast<std::size_t>(verdict)];
}

}  // namespace breakeven::analysis
