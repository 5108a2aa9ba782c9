// SPDX-License-Identifier: Apache-2.0
// Z-scores of runs, and of each rank's part in them.
#include "src/analysis/outlier_runs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/analysis/run_summary.h"
#include "src/statistics/outliers.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
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
