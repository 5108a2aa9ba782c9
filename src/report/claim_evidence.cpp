// SPDX-License-Identifier: Apache-2.0
// From cases to evidence. Ratios of phases are taken run by run, so their intervals count runs or launches
// like all others.
#include "src/report/claim_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "src/predict/score.h"
#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven::report {
namespace {

constexpr ClaimedRange pays{.least = 1 + statistics::practical_equivalence};
constexpr ClaimedRange pays_not{.most = 1 + statistics::practical_equivalence};
constexpr std::array phases_of_claimed_compute{Phase::forward, Phase::backward, Phase::optimizer};

bool is_in(const ClaimScope& scope, const Case& what, std::uint64_t parameters) {
  return what.strategy == "ddp" && what.scaling != Scaling::weak && what.gpus > 1 &&
         (scope.gpus == 0 || what.gpus == scope.gpus) && (scope.model.empty() || what.model == scope.model) &&
         parameters >= scope.least_parameters && parameters < scope.below_parameters &&
         what.batch >= scope.least_batch && what.batch <= scope.most_batch;
}

bool has_phases(const analysis::CaseResult& line) {
  return line.measured->phases != nullptr && !line.measured->phases->planned.empty();
}

// Means over ranks, summed over steps.
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

statistics::RatioEstimate communication_ratio(const analysis::CaseSummary& phases) {
  std::vector<statistics::PairedBlock> blocks;
  for (const RecordedRun* run : phases.done)
    blocks.push_back({run->launch, run->planned.repeat,
                      communication_seconds(*run) / seconds_of(*run, phases_of_claimed_compute)});
  return statistics::estimate_paired(blocks);
}

// Every pair of the case's GPUs has NVLink, and NCCL was not told to avoid it.
bool goes_by_nvlink(const Launch& launch, int gpus) {
  for (const auto& [name, value] : launch.environment)
    if (name == "NCCL_P2P_DISABLE" && value == "1") return false;
  const std::size_t ranks = launch.topology.ranks.size();
  if (ranks < static_cast<std::size_t>(gpus) || launch.topology.links.size() != ranks * ranks) return false;
  for (std::size_t from = 0; from < static_cast<std::size_t>(gpus); ++from)
    for (std::size_t to = 0; to < static_cast<std::size_t>(gpus); ++to)
      if (from != to && !launch.topology.links[from * ranks + to].kind.starts_with("NV")) return false;
  return true;
}

// Logarithms of the seconds a step, one for each launch, because a link only changes between launches.
std::vector<double> log_seconds(const analysis::CaseSummary& phases) {
  std::map<std::uint32_t, std::vector<double>> of_launch;
  for (const RecordedRun* run : phases.done)
    of_launch[run->launch].push_back(std::log(communication_seconds(*run) / analysis::steps_made(*run)));
  std::vector<double> logs;
  for (const auto& [launch, of_runs] : of_launch) logs.push_back(statistics::mean(of_runs));
  return logs;
}

bool goes_by_nvlink(const analysis::CaseSummary& summary, const Results& results) {
  return std::ranges::all_of(summary.done, [&](const RecordedRun* run) {
    return goes_by_nvlink(results.launches[run->launch], summary.what.gpus);
  });
}

// The same case without NVLink, if this one uses it; else null.
const analysis::CaseSummary* without_nvlink(const analysis::CaseResult& line, const analysis::Group& group,
                                            const Results& results) {
  if (!goes_by_nvlink(*line.measured->phases, results)) return nullptr;
  for (const analysis::CaseResult& other : group.lines) {
    Case same = other.measured->what;
    same.nccl = line.measured->what.nccl;
    if (same == line.measured->what && has_phases(other) && !goes_by_nvlink(*other.measured->phases, results))
      return other.measured->phases;
  }
  return nullptr;
}

// With Student's t for the smaller number of launches: never too narrow.
statistics::RatioEstimate link_ratio(const analysis::CaseSummary& by_nvlink,
                                     const analysis::CaseSummary& without) {
  const std::vector<double> nvlink = log_seconds(by_nvlink);
  const std::vector<double> other = log_seconds(without);
  const statistics::DifferenceEstimate logs = statistics::welch_difference(nvlink, other);
  const std::size_t n = std::min(nvlink.size(), other.size());
  const double centre = std::exp(statistics::mean(nvlink) - statistics::mean(other));
  statistics::RatioEstimate estimate{.ratio = {.centre = centre, .n = n},
                                     .unit = statistics::SamplingUnit::launch};
  if (n < statistics::fewest_for_interval) return estimate;
  estimate.log_deviation = logs.error * std::sqrt(static_cast<double>(n));
  estimate.ratio.low = centre * std::exp(-statistics::t_quantile(n) * logs.error);
  estimate.ratio.high = centre * std::exp(statistics::t_quantile(n) * logs.error);
  return estimate;
}

statistics::RatioEstimate efficiency_of(const analysis::CaseResult& line) {
  statistics::RatioEstimate estimate = line.comparison.speedup;
  for (double* value : {&estimate.ratio.centre, &estimate.ratio.low, &estimate.ratio.high})
    *value /= line.measured->what.gpus;
  return estimate;
}

// Among the cases that differ only in the batch.
bool is_largest_batch(const analysis::CaseResult& line, const analysis::Group& group) {
  const Case& what = line.measured->what;
  for (const analysis::CaseResult& other : group.lines) {
    Case same = other.measured->what;
    same.batch = what.batch;
    if (same == what && other.measured->what.batch > what.batch) return false;
  }
  return true;
}

std::optional<ClaimedRange> by_rule(const Case& what, std::uint64_t parameters) {
  const predict::RuleAnswer answer = predict::static_rule(parameters, what.batch);
  if (answer == predict::RuleAnswer::measure) return std::nullopt;
  return answer == predict::RuleAnswer::multi_gpu ? pays : pays_not;
}

struct Found {
  statistics::RatioEstimate measured;
  ClaimedRange claimed;
};

// Nothing where the claim does not concern the case, or the file lacks the claim's figure.
std::optional<Found> find(const Claim& claim, const analysis::CaseResult& line, const analysis::Group& group,
                          const Results& results) {
  const Case& what = line.measured->what;
  const statistics::RatioEstimate& speedup = line.comparison.speedup;
  switch (claim.figure) {
    case ClaimFigure::speedup:
      return Found{speedup, claim.claimed};
    case ClaimFigure::above_batch:
      return Found{speedup, what.batch > claim.border_batch ? pays : pays_not};
    case ClaimFigure::pays_by_rule: {
      const auto claimed = by_rule(what, group.parameters);
      return claimed ? std::optional(Found{speedup, *claimed}) : std::nullopt;
    }
    case ClaimFigure::efficiency:
      if (!is_largest_batch(line, group)) return std::nullopt;
      return Found{efficiency_of(line), claim.claimed};
    case ClaimFigure::phase_ratio:
      if (!has_phases(line)) return std::nullopt;
      return Found{communication_ratio(*line.measured->phases), claim.claimed};
    case ClaimFigure::link_ratio: {
      if (!has_phases(line)) return std::nullopt;
      const analysis::CaseSummary* without = without_nvlink(line, group, results);
      if (without == nullptr) return std::nullopt;
      return Found{link_ratio(*line.measured->phases, *without), claim.claimed};
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_evidence_of_any_claim(const analysis::FileAnalysis& analysis) {
  return std::ranges::any_of(analysis.groups(), [](const analysis::Group& group) {
    return std::ranges::any_of(group.lines, [&](const analysis::CaseResult& line) {
      return is_in(ClaimScope{}, line.measured->what, group.parameters);
    });
  });
}

std::vector<Evidence> evidence_of(const Claim& claim, const analysis::FileAnalysis& analysis) {
  std::vector<Evidence> evidence;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      const Case& what = line.measured->what;
      if (!is_in(claim.scope, what, group.parameters)) continue;
      const auto found = find(claim, line, group, analysis.results());
      if (!found) continue;
      evidence.push_back(
          {fmt::format("{} at batch {}, {} GPUs, {}{}", what.model, what.batch, what.gpus, what.precision,
                       claim.figure == ClaimFigure::link_ratio ? "" : nccl_suffix(what)),
           found->measured, found->claimed});
    }
  }
  return evidence;
}

}  // namespace breakeven::report
