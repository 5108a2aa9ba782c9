// SPDX-License-Identifier: Apache-2.0
#include "src/report/claims/claim_links.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "src/statistics/sample.h"

namespace breakeven::report {
namespace {

// Every pair of the first `gpus` ranks has NVLink, and NCCL was not told to avoid it.
bool goes_by_nvlink(const Launch& launch, std::size_t gpus) {
  for (const auto& [name, value] : launch.environment)
    if (name == "NCCL_P2P_DISABLE" && value == "1") return false;
  const std::size_t ranks = launch.topology.ranks.size();
  if (ranks < gpus || launch.topology.links.size() != ranks * ranks) return false;
  for (std::size_t from = 0; from < gpus; ++from)
    for (std::size_t to = 0; to < gpus; ++to)
      if (from != to && !launch.topology.links[from * ranks + to].kind.starts_with("NV")) return false;
  return true;
}

bool goes_by_nvlink(const analysis::MeasuredCase& measured, const Results& results) {
  return std::ranges::all_of(measured.timed().done, [&](const RecordedRun* run) {
    return goes_by_nvlink(results.launches[run->launch], static_cast<std::size_t>(measured.what.gpus));
  });
}

// The mean logarithm over the runs of each launch.
using NumberOfRun = std::function<double(const analysis::CaseSummary&, std::size_t run)>;
std::vector<double> logs_of_launches(const analysis::CaseSummary& summary, const NumberOfRun& number_of) {
  std::map<std::uint32_t, std::vector<double>> of_launch;
  for (std::size_t run = 0; run < summary.done.size(); ++run)
    of_launch[summary.done[run]->launch].push_back(std::log(number_of(summary, run)));
  std::vector<double> logs;
  for (const auto& [launch, of_runs] : of_launch) logs.push_back(statistics::mean(of_runs));
  return logs;
}

statistics::RatioEstimate ratio_of(const std::vector<double>& nvlink, const std::vector<double>& without) {
  const statistics::DifferenceEstimate logs = statistics::welch_difference(nvlink, without);
  const std::size_t n = std::min(nvlink.size(), without.size());
  const double centre = std::exp(statistics::mean(nvlink) - statistics::mean(without));
  statistics::RatioEstimate estimate{.ratio = {.centre = centre, .n = n},
                                     .unit = statistics::SamplingUnit::launch};
  if (n < statistics::fewest_for_interval) return estimate;
  estimate.log_deviation = logs.error * std::sqrt(static_cast<double>(n));
  estimate.ratio.low = centre * std::exp(-statistics::t_quantile(n) * logs.error);
  estimate.ratio.high = centre * std::exp(statistics::t_quantile(n) * logs.error);
  return estimate;
}

// NaN where a link was not measured.
double log_bandwidth(const Topology& topology) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    if (i / topology.ranks.size() != i % topology.ranks.size())
      logs.push_back(std::log(topology.links[i].bytes_per_second));
  }
  return statistics::mean(logs);
}

}  // namespace

double seconds_of(const RecordedRun& run, std::span<const Phase> phases) {
  double sum = 0;
  for (const RunRecord& rank : run.ranks)
    for (std::uint32_t step = 0; step < analysis::steps_made(run); ++step)
      for (const Phase phase : phases) sum += rank.at(step, phase);
  return sum / static_cast<double>(run.ranks.size());
}

double communication_seconds(const RecordedRun& run) {
  std::vector<Phase> communication;
  for (const PhaseInfo& info : phases) {
    if (info.is_communication) communication.push_back(info.phase);
  }
  return seconds_of(run, communication);
}

std::optional<CasesByLink> cases_by_link(const analysis::CaseResult& line, const analysis::Group& group,
                                         const Results& results) {
  const analysis::MeasuredCase& nvlink = *line.measured;
  if (nvlink.timed().done.empty() || !goes_by_nvlink(nvlink, results)) return std::nullopt;
  for (const analysis::CaseResult& other : group.lines) {
    const analysis::MeasuredCase& without = *other.measured;
    Case same = without.what;
    same.nccl = nvlink.what.nccl;
    if (same == nvlink.what && !without.timed().done.empty() && !goes_by_nvlink(without, results))
      return CasesByLink{&nvlink, &without};
  }
  return std::nullopt;
}

statistics::RatioEstimate communication_by_link(const CasesByLink& cases) {
  if (!is_done(cases.nvlink->phases) || !is_done(cases.without->phases)) return {};
  const auto seconds = [](const analysis::CaseSummary& summary, std::size_t run) {
    return communication_seconds(*summary.done[run]) / analysis::steps_made(*summary.done[run]);
  };
  return ratio_of(logs_of_launches(*cases.nvlink->phases, seconds),
                  logs_of_launches(*cases.without->phases, seconds));
}

statistics::RatioEstimate step_by_link(const CasesByLink& cases) {
  if (cases.nvlink->timed().what.timing != cases.without->timed().what.timing) return {};
  const auto seconds = [](const analysis::CaseSummary& summary, std::size_t run) {
    return summary.step.run_means[run];
  };
  return ratio_of(logs_of_launches(cases.nvlink->timed(), seconds),
                  logs_of_launches(cases.without->timed(), seconds));
}

std::optional<statistics::RatioEstimate> bandwidth_by_link(const Results& results) {
  std::vector<double> nvlink, without;
  for (const Launch& launch : results.launches) {
    const std::size_t ranks = launch.topology.ranks.size();
    if (ranks > 1)
      (goes_by_nvlink(launch, ranks) ? nvlink : without).push_back(log_bandwidth(launch.topology));
  }
  if (nvlink.empty() || without.empty()) return std::nullopt;
  return ratio_of(nvlink, without);
}

}  // namespace breakeven::report
