// SPDX-License-Identifier: Apache-2.0
// The verdict on a claim from its cases' intervals.
#include "src/report/claims/claim_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace breakeven::report {
namespace {

bool can_decide(const statistics::RatioEstimate& measured) {
  return measured.ratio.n >= statistics::fewest_for_interval && measured.ratio.has_bounds() &&
         measured.ratio.low > 0 && std::isfinite(measured.ratio.high);
}

bool is_within(const statistics::Interval& measured, const ClaimedRange& claimed) {
  return measured.low >= claimed.least && measured.high <= claimed.most;
}

// Distance of the interval from the claimed range, in logarithms; negative where they overlap.
double distance_outside(const statistics::Interval& measured, const ClaimedRange& claimed) {
  return std::max(std::log(claimed.least / measured.high), std::log(measured.low / claimed.most));
}

// Distance from the nearest border, in logarithms, of an interval within the claimed range.
double distance_within(const statistics::Interval& measured, const ClaimedRange& claimed) {
  return std::min(std::log(measured.low / claimed.least), std::log(claimed.most / measured.high));
}

// Student's interval about the same centre at another level.
statistics::Interval at_level(const statistics::RatioEstimate& measured, double level) {
  statistics::Interval interval = measured.ratio;
  const double half_width = statistics::t_quantile(interval.n, level) * measured.log_deviation /
                            std::sqrt(static_cast<double>(interval.n));
  interval.low = interval.centre * std::exp(-half_width);
  interval.high = interval.centre * std::exp(half_width);
  return interval;
}

bool contradicts(const Evidence& one, double level) {
  return distance_outside(one.measured.ratio, one.claimed) > 0 &&
         distance_outside(at_level(one.measured, level), one.claimed) > 0;
}

enum class Side { agrees, contradicts, open };

Side side_of(const Evidence& one, double level) {
  if (!can_decide(one.measured)) return Side::open;
  if (is_within(one.measured.ratio, one.claimed)) return Side::agrees;
  return contradicts(one, level) ? Side::contradicts : Side::open;
}

// The lowest rank decides.
double rank_of(const Evidence& one, Side side) {
  switch (side) {
    case Side::agrees:
      return distance_within(one.measured.ratio, one.claimed);
    case Side::contradicts:
      return -distance_outside(one.measured.ratio, one.claimed);
    case Side::open:
      break;
  }
  return 0;
}

ClaimVerdict verdict_of(const ClaimCheck& check, std::size_t cases, ClaimRule rule) {
  const bool is_most = rule == ClaimRule::most;
  if (is_most ? 2 * check.contradicting >= cases : check.contradicting > 0)
    return ClaimVerdict::does_not_hold;
  return (is_most ? 2 * check.agreeing > cases : check.agreeing == cases) ? ClaimVerdict::holds
                                                                          : ClaimVerdict::not_decided;
}

Side deciding_side(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::holds:
      return Side::agrees;
    case ClaimVerdict::does_not_hold:
      return Side::contradicts;
    case ClaimVerdict::not_decided:
      break;
  }
  return Side::open;
}

}  // namespace

ClaimCheck check_claim(std::span<const Evidence> evidence, ClaimRule rule) {
  if (evidence.empty()) return {};
  const double level = 1 - (1 - statistics::confidence) / static_cast<double>(evidence.size());
  ClaimCheck check;
  std::vector<Side> sides;
  for (const Evidence& one : evidence) sides.push_back(side_of(one, level));
  check.agreeing = static_cast<std::size_t>(std::ranges::count(sides, Side::agrees));
  check.contradicting = static_cast<std::size_t>(std::ranges::count(sides, Side::contradicts));
  check.verdict = verdict_of(check, evidence.size(), rule);
  const Side decisive = deciding_side(check.verdict);
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (sides[i] != decisive) continue;
    if (!check.deciding || rank_of(evidence[i], decisive) < rank_of(*check.deciding, decisive))
      check.deciding = evidence[i];
  }
  return check;
}

}  // namespace breakeven::report
