// SPDX-License-Identifier: Apache-2.0
// From cases to evidence. Ratios of phases are taken run by run, so their intervals count runs or launches
// like all others.
#include "src/report/claims/claim_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "src/predict/selectors.h"
#include "src/report/claims/claim_links.h"
#include "src/report/format/numbers.h"

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

bool are_phases_done(const analysis::CaseResult& line) {
  return line.measured->phases != nullptr && !line.measured->phases->planned.empty();
}

statistics::RatioEstimate communication_ratio(const analysis::CaseSummary& phases) {
  std::vector<statistics::PairedBlock> blocks;
  for (const RecordedRun* run : phases.done)
    blocks.push_back({run->launch, run->planned.repeat,
                      communication_seconds(*run) / seconds_of(*run, phases_of_claimed_compute)});
  return statistics::estimate_paired(blocks);
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
  std::optional<double> timing_overhead = {};
};

std::optional<Found> by_link(const Claim& claim, const analysis::CaseResult& line,
                             const analysis::Group& group, const Results& results) {
  const auto cases = cases_by_link(line, group, results);
  if (!cases) return std::nullopt;
  if (claim.figure == ClaimFigure::link_speed) return Found{step_by_link(*cases), claim.claimed};
  if (!are_phases_done(line)) return std::nullopt;
  const double nvlink = cases->nvlink->timing_overhead(), without = cases->without->timing_overhead();
  const bool is_without_worse = std::isnan(without) || without > nvlink;
  return Found{communication_by_link(*cases), claim.claimed, is_without_worse ? without : nvlink};
}

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
      if (!are_phases_done(line)) return std::nullopt;
      return Found{communication_ratio(*line.measured->phases), claim.claimed,
                   line.measured->timing_overhead()};
    case ClaimFigure::link_communication:
    case ClaimFigure::link_speed:
      return by_link(claim, line, group, results);
    case ClaimFigure::link_bandwidth:
      break;  // of launches, not of cases
  }
  return std::nullopt;
}

std::vector<Evidence> evidence_of_links(const Claim& claim, const Results& results) {
  const auto ratio = bandwidth_by_link(results);
  if (!ratio) return {};
  return {{.label = "links between the GPUs", .measured = *ratio, .claimed = claim.claimed}};
}

bool is_by_link(ClaimFigure figure) {
  return figure == ClaimFigure::link_communication || figure == ClaimFigure::link_speed;
}

}  // namespace

std::vector<Evidence> evidence_of(const Claim& claim, const analysis::FileAnalysis& analysis) {
  if (claim.figure == ClaimFigure::link_bandwidth) return evidence_of_links(claim, analysis.results());
  std::vector<Evidence> evidence;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      const Case& what = line.measured->what;
      if (!is_in(claim.scope, what, group.parameters)) continue;
      const auto found = find(claim, line, group, analysis.results());
      if (!found) continue;
      evidence.push_back(
          {.label = fmt::format("{} at batch {}, {} GPUs, {}{}", what.model, format_count(what.batch),
                                what.gpus, what.precision, is_by_link(claim.figure) ? "" : nccl_suffix(what)),
           .measured = found->measured,
           .claimed = found->claimed,
           .is_as_in_article = is_as_in_article(claim, what),
           .timing_overhead = found->timing_overhead});
    }
  }
  return evidence;
}

}  // namespace breakeven::report
