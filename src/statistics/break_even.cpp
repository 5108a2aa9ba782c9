// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/break_even.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

namespace breakeven {
namespace {

// Between the centres of two places next to each other; NaN unless exactly one pair of [first, last] is on
// different sides of 1.
double crossing_between(std::span<const BreakEvenPoint> points, std::size_t first, std::size_t last) {
  double crossing = BreakEven::not_a_place;
  for (std::size_t i = first; i < last; ++i) {
    const double before = std::log(points[i].centre), after = std::log(points[i + 1].centre);
    if ((before > 0) == (after > 0)) continue;
    if (!std::isnan(crossing) || std::isnan(before + after)) return BreakEven::not_a_place;
    const double step = std::log(points[i + 1].at / points[i].at);
    crossing = points[i].at * std::exp(step * before / (before - after));
  }
  return crossing;
}

// How many points from the front on are surely on the front's side.
template <typename Points>
std::size_t sure_run(const Points& points) {
  const Payoff side = (*points.begin()).side;
  if (side == Payoff::undecided) return 0;
  const auto other = std::ranges::find_if(points, [&](const auto& point) { return point.side != side; });
  return static_cast<std::size_t>(std::ranges::distance(points.begin(), other));
}

// The points up to `last_below` and those from `first_above` on are decided; nothing: none are.
using Place = std::optional<std::size_t>;
BreakEven band(std::span<const BreakEvenPoint> points, Place last_below, Place first_above) {
  BreakEven found;
  if (last_below) {
    found.below = points[*last_below].side;
    found.low = points[*last_below].at;
  }
  if (first_above) {
    found.above = points[*first_above].side;
    found.high = points[*first_above].at;
  }
  found.at = crossing_between(points, last_below.value_or(0), first_above.value_or(points.size() - 1));
  return found;
}

}  // namespace

Payoff side_of(const Interval& speedup) {
  if (speedup.low > 1) return Payoff::pays;
  return speedup.high < 1 ? Payoff::does_not_pay : Payoff::undecided;
}

std::vector<BreakEven> find_break_evens(std::span<const BreakEvenPoint> points) {
  if (points.empty()) return {};
  const std::size_t below = sure_run(points);
  if (below == points.size()) return {};
  const std::size_t above = points.size() - sure_run(points | std::views::reverse);
  const Place last_below = below == 0 ? Place() : below - 1;
  const Place first_above = above == points.size() ? Place() : above;
  if (last_below && first_above && points[*last_below].side == points[*first_above].side) {
    std::vector<std::size_t> others;  // within, on the other side
    for (std::size_t i = below; i < above; ++i)
      if (points[i].side != points[*last_below].side && points[i].side != Payoff::undecided)
        others.push_back(i);
    if (!others.empty())
      return {band(points, last_below, others.front()), band(points, others.back(), first_above)};
  }
  return {band(points, last_below, first_above)};
}

}  // namespace breakeven
