// SPDX-License-Identifier: Apache-2.0
// A run's steps over all of its ranks.
#include "src/analysis/run_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/outliers.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
bool is_done(const RecordedRun& run) { return run.status != RunStatus::planned; }

bool is_needless(const RecordedRun& run) { return !is_done(run) && run.stop == StopReason::precise; }

std::uint32_t steps_made(const RecordedRun& run) {
  return run.ranks.empty() ? run.steps : made_steps(run.ranks.front());
}

double steps_to_quality(const RecordedRun& run) {
  if (run.ranks.empty()) return not_measured;
  const double first = run.ranks.front().steps_to_quality;
  const bool all_agree =
      std::ranges::all_of(run.ranks, [&](const RunRecord& rank) { return rank.steps_to_quality == first; });
  return all_agree ? first : not_measured;
}

std::vector<double> step_series(const RecordedRun& run) {
  std::vector<double> series(steps_made(run), not_measured);
  if (static_cast<int>(run.ranks.size()) != run.planned.what.gpus) return series;
  const bool in_step = traits_of(run.planned.what).in_step;
  std::vector<double> over_ranks(run.ranks.size());
  for (std::uint32_t step = 0; step < series.size(); ++step) {
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
      over_ranks[rank] = run.ranks[rank].at(step, Phase::step);
    }
    series[step] = in_step ? highest(over_ranks) : mean(over_ranks);
  }
  return series;
}

std::vector<double> own_seconds(const RunRecord& rank) {
  std::vector<double> own(made_steps(rank));
  for (std::uint32_t step = 0; step < own.size(); ++step) {
    const double wait = rank.at(step, Phase::wait);
    own[step] = rank.at(step, Phase::step) - (std::isfinite(wait) ? wait : 0.0);
  }
  return own;
}

SlowSteps find_slow_steps(const RecordedRun& run) {
  const std::vector<double> series = step_series(run);
  const double limit = slow_step_limit(series);
  if (!std::isfinite(limit)) return {not_measured, not_measured};
  std::vector<std::vector<double>> own;
  std::vector<double> own_limits;
  for (const RunRecord& rank : run.ranks) {
    own.push_back(own_seconds(rank));
    own_limits.push_back(slow_step_limit(own.back()));
  }
  SlowSteps slow;
  const double one_step = 1.0 / static_cast<double>(series.size());
  for (std::size_t step = 0; step < series.size(); ++step) {
    if (!(series[step] > limit)) continue;
    bool all = true;
    for (std::size_t rank = 0; rank < own.size(); ++rank) all = all && own[rank][step] > own_limits[rank];
    (all ? slow.all_ranks_share : slow.some_ranks_share) += one_step;
  }
  return slow;
}

namespace {

// A score that is NaN is beyond every limit, as in count_outliers().
bool is_outlier(double score) { return !(std::abs(score) <= outlier_score); }

// [rank][run]; empty where the runs have different ranks.
std::vector<std::vector<double>> scores_of_ranks(std::span<const RecordedRun* const> runs) {
  std::vector<std::vector<double>> scores;
  const std::size_t ranks = runs.empty() ? 0 : runs.front()->ranks.size();
  const bool are_alike =
      std::ranges::all_of(runs, [=](const RecordedRun* run) { return run->ranks.size() == ranks; });
  if (!are_alike) return scores;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<double> own_means;
    for (const RecordedRun* run : runs) own_means.push_back(mean(own_seconds(run->ranks[rank])));
    scores.push_back(modified_z_scores(own_means));
  }
  return scores;
}

}  // namespace

OutlierRuns find_outlier_runs(std::span<const RecordedRun* const> runs, std::span<const double> run_means) {
  const std::vector<double> scores = modified_z_scores(run_means);
  const std::vector<std::vector<double>> by_rank = scores_of_ranks(runs);
  OutlierRuns found;
  for (std::size_t run = 0; run < scores.size(); ++run) {
    if (!is_outlier(scores[run])) continue;
    ++found.count;
    const bool all = std::ranges::all_of(by_rank, [=](const auto& rank) { return is_outlier(rank[run]); });
    if (all && !by_rank.empty()) ++found.on_all_ranks;
  }
  return found;
}

}  // namespace breakeven::analysis
