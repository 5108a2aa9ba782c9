// SPDX-License-Identifier: Apache-2.0
// The verdict on a speed-up, with practical equivalence.
#include "src/statistics/payoff.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace breakeven {
namespace {

constexpr double lower_border = 1 - practical_equivalence;
constexpr double upper_border = 1 + practical_equivalence;
constexpr std::size_t most_blocks = 1'000'000;  // beyond this, nobody will measure on

// How far the centre is, in logarithms, from the nearest border that its interval must not reach over.
double room(double centre) {
  const double to_lower = std::log(centre) - std::log(lower_border);
  const double to_upper = std::log(centre) - std::log(upper_border);
  return std::min(std::abs(to_lower), std::abs(to_upper));
}

// The smallest n > now whose interval, with the deviation seen so far, is narrow enough; less what there is.
std::size_t blocks_missing(const RatioEstimate& speedup) {
  const double allowed = room(speedup.ratio.centre);
  const auto decides = [&](std::size_t n) {
    return t_quantile(n) * speedup.log_deviation / std::sqrt(static_cast<double>(n)) < allowed;
  };
  if (!decides(most_blocks)) return 0;
  std::size_t too_few = speedup.ratio.n;
  std::size_t enough = most_blocks;
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (decides(middle) ? enough : too_few) = middle;
  }
  return enough - speedup.ratio.n;
}

}  // namespace

Decision decide(const RatioEstimate& speedup) {
  const Interval& ratio = speedup.ratio;
  if (!(ratio.centre > 0) || !std::isfinite(ratio.centre)) return {Payoff::not_measured};
  if (ratio.n < fewest_for_interval) return {Payoff::undecided, fewest_for_interval - ratio.n};
  if (!std::isfinite(ratio.low) || !std::isfinite(ratio.high)) return {Payoff::not_measured};
  if (ratio.low > upper_border) return {Payoff::pays};
  if (ratio.high < lower_border) return {Payoff::does_not_pay};
  if (ratio.low >= lower_border && ratio.high <= upper_border) return {Payoff::same};
  return {Payoff::undecided, blocks_missing(speedup)};
}

std::string_view word_of(Payoff verdict) {
  switch (verdict) {
    case Payoff::not_measured:
      return "not_measured";
    case Payoff::undecided:
      return "undecided";
    case Payoff::does_not_pay:
      return "does_not_pay";
    case Payoff::same:
      return "same";
    case Payoff::pays:
      return "pays";
  }
  return "not_measured";
}

std::string phrase_of(const Decision& decision) {
  switch (decision.verdict) {
    case Payoff::not_measured:
      return "not measured";
    case Payoff::does_not_pay:
      return "does not pay";
    case Payoff::same:
      return fmt::format("same within {:.0f} %", 100 * practical_equivalence);
    case Payoff::pays:
      return "pays";
    case Payoff::undecided:
      break;
  }
  return decision.more_blocks == 0 ? "undecided" : fmt::format("undecided, {} more", decision.more_blocks);
}

}  // namespace breakeven
