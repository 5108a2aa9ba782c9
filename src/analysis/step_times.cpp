// SPDX-License-Identifier: Apache-2.0
// From the runs' series to the case's step time.
#include "src/analysis/step_times.h"

#include <map>
#include <utility>

#include "src/analysis/run_summary.h"
#include "src/statistics/autocorrelation.h"
#include "src/statistics/batch_means.h"
#include "src/statistics/quantile_interval.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

std::vector<Cluster> runs_as_clusters(const std::vector<StepSeries>& runs) {
  std::vector<Cluster> clusters;
  for (const StepSeries& run : runs) clusters.emplace_back(run.used().begin(), run.used().end());
  return clusters;
}

// The used steps, put together by sampling unit.
std::vector<Cluster> clusters_of(const StepTimes& times, const std::vector<std::uint32_t>& launches) {
  if (times.unit == SamplingUnit::run || times.unit == SamplingUnit::none)
    return runs_as_clusters(times.runs);
  if (times.unit == SamplingUnit::launch) {
    std::map<std::uint32_t, Cluster> by_launch;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const std::span<const double> used = times.runs[i].used();
      Cluster& cluster = by_launch[launches[i]];
      cluster.insert(cluster.end(), used.begin(), used.end());
    }
    std::vector<Cluster> clusters;
    for (auto& [launch, cluster] : by_launch) clusters.push_back(std::move(cluster));
    return clusters;
  }
  const std::span<const double> used = times.runs.front().used();
  const std::size_t count = batch_count(used);
  if (count == 0) return runs_as_clusters(times.runs);  // one cluster, hence no bounds
  std::vector<Cluster> clusters;
  for (const std::span<const double> batch : batches_of(used, count))
    clusters.emplace_back(batch.begin(), batch.end());
  return clusters;
}

void count_runs(StepTimes& times) {
  times.effective_steps = 0;
  for (const StepSeries& run : times.runs) {
    times.effective_steps += run.effective_steps;
    times.set_aside_steps += run.steady.first;
    if (run.steady.verdict != SteadyVerdict::not_judged) ++times.judged_runs;
    if (run.steady.verdict == SteadyVerdict::not_steady) ++times.not_steady_runs;
    if (run.steady.first > 0) ++times.late_warmup_runs;
    if (run.steady.mser_disagrees) ++times.mser_disagrees_runs;
  }
}

}  // namespace

StepSeries series_of(std::vector<double> step_seconds) {
  StepSeries series;
  series.seconds = std::move(step_seconds);
  series.steady = find_steady_state(series.seconds);
  series.effective_steps = effective_sample_size(series.used());
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
    times.run_means.push_back(mean(series.used()));
    whole.insert(whole.end(), series.seconds.begin(), series.seconds.end());
    used.insert(used.end(), series.used().begin(), series.used().end());
  }
  times.unit = unit_of(launches);
  const std::vector<Cluster> clusters = clusters_of(times, launches);
  std::vector<double> unit_means;
  for (const Cluster& cluster : clusters) unit_means.push_back(mean(cluster));
  times.interval = mean_interval(unit_means);
  times.mean_seconds = mean(used);
  times.whole_mean_seconds = mean(whole);
  times.median = quantile_interval(clusters, 0.5);
  times.p95 = quantile_interval(clusters, 0.95);
  times.p99 = quantile_interval(clusters, 0.99);
  times.samples_per_second = samples_a_step / times.mean_seconds;
  count_runs(times);
  return times;
}

}  // namespace breakeven::analysis
