// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/payoff.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "src/statistics/sample_size.h"

namespace breakeven::statistics {
namespace {

constexpr double lower_border = 1 - practical_equivalence;
constexpr double upper_border = 1 + practical_equivalence;

// How far the centre is, in logarithms, from the nearest border that its interval must not reach over.
double room(double centre) {
  const double to_lower = std::log(centre) - std::log(lower_border);
  const double to_upper = std::log(centre) - std::log(upper_border);
  return std::min(std::abs(to_lower), std::abs(to_upper));
}

// With the deviation seen so far, in all further measurements like this one. Of a centre between the borders
// the interval must clear both, so each may be missed in half of the cases (Chow et al., section 3.2.3).
std::size_t units_missing(const RatioEstimate& speedup, double level) {
  const double centre = speedup.ratio.centre;
  const bool is_between = lower_border < centre && centre < upper_border;
  const auto needed = units_to_see({.size = room(centre),
                                    .one_deviation = speedup.log_deviation,
                                    .level = level,
                                    .power = is_between ? (1 + power) / 2 : power});
  if (!needed || *needed == most_units) return 0;
  return std::max(*needed, speedup.ratio.n + 1) - speedup.ratio.n;
}

bool has_verdict(Payoff verdict) { return verdict != Payoff::not_measured && verdict != Payoff::undecided; }

// The probability of this result by chance, on either side: the error at which Student's interval about the
// centre would reach the nearest border.
double probability_of_chance(const RatioEstimate& speedup) {
  if (speedup.ratio.n < fewest_for_interval) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(speedup.ratio.n);
  const double error = speedup.log_deviation / std::sqrt(n);
  if (error == 0) return 0;
  const double t = room(speedup.ratio.centre) / error;
  if (!std::isfinite(t)) return std::numeric_limits<double>::quiet_NaN();
  return t_probability(t, n - 1);
}

}  // namespace

Payoff verdict_of(const Interval& speedup) {
  if (!std::isfinite(speedup.low) || !std::isfinite(speedup.high)) return Payoff::not_measured;
  if (speedup.low > upper_border) return Payoff::pays;
  if (speedup.high < lower_border) return Payoff::does_not_pay;
  if (speedup.low >= lower_border && speedup.high <= upper_border) return Payoff::same;
  return Payoff::undecided;
}

Decision decide(const RatioEstimate& speedup) {
  const Interval& ratio = speedup.ratio;
  if (!(ratio.centre > 0) || !std::isfinite(ratio.centre)) return {Payoff::not_measured};
  if (ratio.n < fewest_for_interval) return {Payoff::undecided, fewest_for_interval - ratio.n, speedup.unit};
  const Payoff verdict = verdict_of(ratio);
  if (verdict != Payoff::undecided) return {verdict};
  return {Payoff::undecided, units_missing(speedup, confidence), speedup.unit};
}

std::vector<HolmLevel> holm_levels(std::span<const double> probabilities, double error) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (!std::isnan(probabilities[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probabilities[i]; });
  std::vector<HolmLevel> levels(probabilities.size(), {error, false});
  bool holds = true;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    HolmLevel& level = levels[order[rank]];
    level.error = error / static_cast<double>(order.size() - rank);
    holds = holds && probabilities[order[rank]] <= level.error;
    level.holds = holds;
  }
  return levels;
}

std::vector<Decision> decide_together(std::span<const RatioEstimate> speedups) {
  std::vector<double> probabilities;
  for (const RatioEstimate& speedup : speedups) probabilities.push_back(probability_of_chance(speedup));
  const std::vector<HolmLevel> levels = holm_levels(probabilities, 1 - confidence);
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < speedups.size(); ++i) {
    Decision decision = decide(speedups[i]);
    const bool is_open = decision.verdict == Payoff::undecided || has_verdict(decision.verdict);
    if (is_open && !std::isnan(probabilities[i]) && !(levels[i].holds && has_verdict(decision.verdict)))
      decision = {Payoff::undecided, units_missing(speedups[i], 1 - levels[i].error), speedups[i].unit};
    decisions.push_back(decision);
  }
  return decisions;
}

std::string_view word_of(Payoff verdict) { return info_of(verdict).key; }

std::string phrase_of(const Decision& decision) {
  if (decision.verdict == Payoff::same)
    return fmt::format("{} within {:.0f} %", info_of(Payoff::same).phrase, 100 * practical_equivalence);
  const std::string phrase(info_of(decision.verdict).phrase);
  if (decision.is_extrapolated) return phrase + ", extrapolated";
  if (decision.has_short_runs) return phrase + ", too few steps";
  if (decision.more_units == 0 || decision.verdict != Payoff::undecided) return phrase;
  return fmt::format("{}, {} more {}", phrase, decision.more_units, more_of(decision));
}

std::string_view more_of(const Decision& decision) {
  const bool is_one = decision.more_units == 1;
  if (decision.unit == SamplingUnit::launch) return is_one ? "launch" : "launches";
  return is_one ? "repeat" : "repeats";
}

}  // namespace breakeven::statistics
