// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/step_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/autocorrelation.h"
#include "src/statistics/outliers.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

// [rank][run]; empty where the runs have different ranks.
std::vector<std::vector<double>> scores_of_ranks(std::span<const RecordedRun* const> runs) {
  std::vector<std::vector<double>> scores;
  const std::size_t ranks = runs.empty() ? 0 : runs.front()->ranks.size();
  const bool are_alike =
      std::ranges::all_of(runs, [=](const RecordedRun* run) { return run->ranks.size() == ranks; });
  if (!are_alike) return scores;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<double> own_means;
    for (const RecordedRun* run : runs) own_means.push_back(statistics::mean(own_seconds(run->ranks[rank])));
    scores.push_back(statistics::modified_z_scores(own_means));
  }
  return scores;
}

std::vector<statistics::Cluster> runs_as_clusters(const std::vector<StepSeries>& runs) {
  std::vector<statistics::Cluster> clusters;
  for (const StepSeries& run : runs) clusters.emplace_back(run.used().begin(), run.used().end());
  return clusters;
}

// The used steps, put together by sampling unit.
std::vector<statistics::Cluster> clusters_of(const StepTimes& times,
                                             const std::vector<std::uint32_t>& launches) {
  if (times.unit == statistics::SamplingUnit::run || times.unit == statistics::SamplingUnit::none)
    return runs_as_clusters(times.runs);
  if (times.unit == statistics::SamplingUnit::launch) {
    std::map<std::uint32_t, statistics::Cluster> by_launch;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const std::span<const double> used = times.runs[i].used();
      statistics::Cluster& cluster = by_launch[launches[i]];
      cluster.insert(cluster.end(), used.begin(), used.end());
    }
    std::vector<statistics::Cluster> clusters;
    for (auto& [launch, cluster] : by_launch) clusters.push_back(std::move(cluster));
    return clusters;
  }
  const std::span<const double> used = times.runs.front().used();
  const std::size_t count = statistics::batch_count(used);
  if (count == 0) return runs_as_clusters(times.runs);  // one cluster, hence no bounds
  std::vector<statistics::Cluster> clusters;
  for (const std::span<const double> batch : statistics::batches_of(used, count))
    clusters.emplace_back(batch.begin(), batch.end());
  return clusters;
}

void count_runs(StepTimes& times) {
  times.effective_steps = 0;
  for (const StepSeries& run : times.runs) {
    times.effective_steps += run.effective_steps;
    times.set_aside_steps += run.steady.first;
    if (run.steady.verdict != statistics::SteadyVerdict::not_judged) ++times.judged_runs;
    if (run.steady.verdict == statistics::SteadyVerdict::not_steady) ++times.not_steady_runs;
    if (run.steady.first > 0) ++times.late_warmup_runs;
    if (run.steady.mser_disagrees) ++times.mser_disagrees_runs;
  }
}

}  // namespace

bool is_done(const RecordedRun& run) { return run.status != RunStatus::planned; }

bool is_needless(const RecordedRun& run) { return !is_done(run) && run.stop == StopReason::precise; }

std::uint64_t trained_steps(const RecordedRun& run) {
  return run.ranks.empty() ? run.steps : trained_steps(run.ranks.front());
}

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
    series[step] = in_step ? statistics::highest(over_ranks) : statistics::mean(over_ranks);
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
  const double limit = statistics::slow_step_limit(series);
  if (!std::isfinite(limit)) return {not_measured, not_measured};
  std::vector<std::vector<double>> own;
  std::vector<double> own_limits;
  for (const RunRecord& rank : run.ranks) {
    own.push_back(own_seconds(rank));
    own_limits.push_back(statistics::slow_step_limit(own.back()));
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

std::optional<OutlierRuns> find_outlier_runs(std::span<const RecordedRun* const> runs,
                                             std::span<const double> run_means) {
  if (run_means.size() < statistics::fewest_for_outliers) return std::nullopt;
  const std::vector<double> scores = statistics::modified_z_scores(run_means);
  const std::vector<std::vector<double>> by_rank = scores_of_ranks(runs);
  OutlierRuns found;
  for (std::size_t run = 0; run < scores.size(); ++run) {
    if (!statistics::is_outlier(scores[run])) continue;
    ++found.count;
    const bool all =
        std::ranges::all_of(by_rank, [=](const auto& rank) { return statistics::is_outlier(rank[run]); });
    if (all && !by_rank.empty()) ++found.on_all_ranks;
  }
  return found;
}

StepSeries series_of(std::vector<double> step_seconds) {
  StepSeries series;
  series.seconds = std::move(step_seconds);
  series.steady = statistics::find_steady_state(series.seconds);
  series.effective_steps = statistics::effective_sample_size(series.used());
  return series;
}

StepTimes summarize_steps(const std::vector<const RecordedRun*>& done, double samples_a_step) {
  StepTimes times;
  std::vector<std::uint32_t> launches;
  std::vector<double> whole;
  std::vector<double> used;
  for (const RecordedRun* run : done) {
    const StepSeries& series = times.runs.emplace_back(series_of(step_series(*run)));
    launches.push_back(run->launch);
    times.run_means.push_back(statistics::mean(series.used()));
    whole.insert(whole.end(), series.seconds.begin(), series.seconds.end());
    used.insert(used.end(), series.used().begin(), series.used().end());
  }
  times.unit = statistics::unit_of(launches);
  const std::vector<statistics::Cluster> clusters = clusters_of(times, launches);
  std::vector<double> unit_means;
  for (const statistics::Cluster& cluster : clusters) unit_means.push_back(statistics::mean(cluster));
  times.interval = statistics::positive(statistics::mean_interval(unit_means));
  times.mean_seconds = statistics::mean(used);
  times.whole_mean_seconds = statistics::mean(whole);
  times.median = statistics::quantile_interval(clusters, 0.5);
  times.p95 = statistics::quantile_interval(clusters, 0.95);
  times.p99 = statistics::quantile_interval(clusters, 0.99);
  times.samples_per_second = samples_a_step / times.mean_seconds;
  count_runs(times);
  return times;
}

}  // namespace breakeven::analysis
