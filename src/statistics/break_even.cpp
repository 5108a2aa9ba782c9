// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/break_even.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "src/statistics/crossing.h"

namespace breakeven::statistics {
namespace {

// How many points from the first on are decided and have the first one's verdict.
template <typename Iterator>
std::size_t sure_run(Iterator first, Iterator end) {
  const Payoff verdict = first->verdict;
  if (!is_decided(verdict)) return 0;
  const auto other = std::find_if(first, end, [&](const auto& point) { return point.verdict != verdict; });
  return static_cast<std::size_t>(other - first);
}

// "Undecided up to 8" and "break-even below 7" would contradict each other: where an end of the range is
// undecided, no bound excludes a next place that is too.
void open_to_undecided(std::span<const BreakEvenPoint> points, BreakEven& found) {
  Interval& crossing = found.crossing;
  if ((is_decided(found.below) && is_decided(found.above)) || !crossing.has_bounds()) return;
  const auto at_or_above = [&](double place) {
    return std::ranges::lower_bound(points, place, {}, &BreakEvenPoint::at);
  };
  const auto next = at_or_above(crossing.low), beyond = at_or_above(crossing.high);
  if (next != points.begin() && std::prev(next)->verdict == Payoff::undecided) crossing.low = 0;
  if (beyond != points.end() && beyond->verdict == Payoff::undecided)
    crossing.high = std::numeric_limits<double>::infinity();
}

// The points up to `last_below` and those from `first_above` on are decided; nothing: none are.
using Place = std::optional<std::size_t>;
BreakEven band(std::span<const BreakEvenPoint> points, Place last_below, Place first_above) {
  BreakEven found;
  if (last_below) {
    found.below = points[*last_below].verdict;
    found.low = points[*last_below].at;
  }
  if (first_above) {
    found.above = points[*first_above].verdict;
    found.high = points[*first_above].at;
  }
  const std::size_t first = last_below.value_or(0), last = first_above.value_or(points.size() - 1);
  found.crossing = find_crossing(points, first, last);
  open_to_undecided(points, found);
  return found;
}

constexpr double never = std::numeric_limits<double>::infinity();

double waiting_cost_at(double speedup, int gpus, double a_gpu) {
  if (std::isnan(speedup)) return speedup;
  return speedup <= 1 ? never : std::max(0.0, a_gpu * (gpus - speedup) / (speedup - 1));
}

double samples_at(double speedup, double one_seconds, double extra_start) {
  const double saved = one_seconds * (1 - 1 / speedup);  // a sample
  if (std::isnan(saved) || std::isnan(extra_start)) return std::numeric_limits<double>::quiet_NaN();
  return saved <= 0 ? never : std::max(0.0, extra_start / saved);
}

}  // namespace

std::vector<BreakEven> find_break_evens(std::span<const BreakEvenPoint> points) {
  if (points.empty()) return {};
  const std::size_t below = sure_run(points.begin(), points.end());
  if (below == points.size()) return {};
  const std::size_t above = points.size() - sure_run(points.rbegin(), points.rend());
  const Place last_below = below == 0 ? Place() : below - 1;
  const Place first_above = above == points.size() ? Place() : above;
  if (last_below && first_above && points[*last_below].verdict == points[*first_above].verdict) {
    std::vector<std::size_t> others;  // within, with the other verdict
    for (std::size_t i = below; i < above; ++i)
      if (points[i].verdict != points[*last_below].verdict && is_decided(points[i].verdict))
        others.push_back(i);
    if (!others.empty())
      return {band(points, last_below, others.front()), band(points, others.back(), first_above)};
  }
  return {band(points, last_below, first_above)};
}

Interval quotient(const Interval& numerator, const Interval& denominator) {
  const auto log_half_width = [](const Interval& known) { return std::log(known.high / known.low) / 2; };
  const double width = std::hypot(log_half_width(numerator), log_half_width(denominator));
  const double centre = numerator.centre / denominator.centre;
  return {centre, centre * std::exp(-width), centre * std::exp(width), numerator.n};
}

Interval times(const Interval& quantity, double factor) {
  return {quantity.centre * factor, quantity.low * factor, quantity.high * factor, quantity.n};
}

Interval gain_in_gpu_hours(const Interval& speedup, int gpus) { return times(speedup, 1.0 / gpus); }

double speedup_needed(int gpus, const HourlyCost& cost) {
  return (gpus * cost.a_gpu + cost.of_waiting) / (cost.a_gpu + cost.of_waiting);
}

Interval gain_in_money(const Interval& speedup, int gpus, const HourlyCost& cost) {
  return times(speedup, 1 / speedup_needed(gpus, cost));
}

Interval waiting_cost_needed(const Interval& speedup, int gpus, double a_gpu) {
  return {waiting_cost_at(speedup.centre, gpus, a_gpu), waiting_cost_at(speedup.high, gpus, a_gpu),
          waiting_cost_at(speedup.low, gpus, a_gpu), speedup.n};
}

Interval samples_needed(const Interval& speedup, const Interval& one_seconds_a_sample,
                        const Interval& extra_start_seconds) {
  return {samples_at(speedup.centre, one_seconds_a_sample.centre, extra_start_seconds.centre),
          samples_at(speedup.high, one_seconds_a_sample.high, extra_start_seconds.low),
          samples_at(speedup.low, one_seconds_a_sample.low, extra_start_seconds.high), speedup.n};
}

}  // namespace breakeven::statistics
