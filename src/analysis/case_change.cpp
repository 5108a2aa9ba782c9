// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_change.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/core/axes.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

// [launch]: the mean of its runs.
std::vector<double> launch_means(const CaseSummary& summary) {
  std::vector<std::uint32_t> launches;
  for (const RecordedRun* run : summary.done) launches.push_back(run->launch);
  return statistics::means_of_launches(launches, summary.step.run_means);
}

struct Candidate {
  CaseChange change;
  double probability = not_measured;  // of this distance from the nearest border by chance alone
};

Candidate compare(const CaseSummary& before, const CaseSummary& after, double tolerance) {
  std::vector<double> old_seconds = launch_means(before);
  std::vector<double> new_seconds = launch_means(after);
  Candidate candidate;
  CaseChange& change = candidate.change;
  change.what = after.what;
  change.before = &before;
  change.after = &after;
  change.unit = statistics::SamplingUnit::launch;
  if (std::min(old_seconds.size(), new_seconds.size()) < statistics::fewest_for_interval) {
    change.unit = statistics::SamplingUnit::run;
    old_seconds = before.step.run_means;
    new_seconds = after.step.run_means;
  }
  const statistics::DifferenceEstimate log_ratio =
      statistics::welch_difference(statistics::logarithms(old_seconds), statistics::logarithms(new_seconds));
  const statistics::Interval& logs = log_ratio.difference;
  change.ratio = statistics::exponential(logs);
  if (!logs.has_bounds()) return candidate;
  const double room =
      std::min(std::abs(logs.centre - std::log1p(tolerance)), std::abs(logs.centre - std::log1p(-tolerance)));
  const double error = log_ratio.error;
  candidate.probability =
      error == 0 ? 0 : statistics::t_probability(room / error, log_ratio.degrees_of_freedom);
  return candidate;
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

}  // namespace

std::vector<CaseChange> compare_files(const std::vector<MeasuredCase>& before,
                                      const std::vector<MeasuredCase>& after, double tolerance) {
  std::vector<Candidate> candidates;
  for (const MeasuredCase& now : after) {
    const MeasuredCase* then = counterpart_of(now, before);
    if (then == nullptr) continue;
    if (is_done(then->total) && is_done(now.total)) {
      candidates.push_back(compare(*then->total, *now.total, tolerance));
    } else if (is_done(then->phases) && is_done(now.phases)) {
      candidates.push_back(compare(*then->phases, *now.phases, tolerance));
    }
  }
  std::vector<double> probabilities;
  for (const Candidate& candidate : candidates) probabilities.push_back(candidate.probability);
  const std::vector<statistics::HolmLevel> levels =
      statistics::holm_levels(probabilities, 1 - statistics::confidence);
  std::vector<CaseChange> changes;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    CaseChange change = candidates[i].change;
    change.change = change_of(change.ratio, tolerance);
    if (change.change != Change::not_measured && !levels[i].holds) change.change = Change::unclear;
    changes.push_back(std::move(change));
  }
  return changes;
}

bool is_regression(const CaseChange& change, double limit) {
  return change.change == Change::slower && change.ratio.centre < 1 - limit;
}

std::string_view word_of(Change change) {
  constexpr std::array<std::string_view, 5> words{"NOT MEASURED", "UNCLEAR", "SAME", "FASTER", "SLOWER"};
  return words[static_cast<std::size_t>(change)];
}

}  // namespace breakeven::analysis
