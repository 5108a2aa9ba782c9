// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/crossing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

// Of the second derivative of the logarithm of the speed-up by that of the batch: its root mean square in 207
// triples of neighbouring batches in recorded files, whose first and last were on different sides
// of 1. 95 % were at most 0.20 (0.17 to 0.25 by a bootstrap of the 43 models and machines); of steps of two
// times at most 0.24.
constexpr double bend_deviation = 0.12;

// A launch where there are several, else a run.
using Unit = std::pair<std::uint32_t, std::uint32_t>;
using LogsByUnit = std::map<Unit, double>;  // the mean logarithm of the speed-up

bool has_launches(const BreakEvenPoint& point) { return unit_of(point.blocks) == SamplingUnit::launch; }

LogsByUnit logs_by_unit(const std::vector<PairedBlock>& blocks, bool by_launch) {
  std::map<Unit, std::pair<double, int>> sums;
  for (const PairedBlock& block : blocks) {
    auto& [sum, count] = sums[{block.launch, by_launch ? 0 : block.repeat}];
    sum += std::log(block.ratio);
    ++count;
  }
  LogsByUnit logs;
  for (const auto& [unit, sum] : sums) logs[unit] = sum.first / sum.second;
  return logs;
}

// A stretch between two points next to each other; shares run from 0 at the first to 1 at the second.
struct Stretch {
  double from, to;                                // places
  std::vector<std::pair<double, double>> values;  // the logarithms at both, of each unit
  double deviation = bend_deviation;              // of the second derivative
  double level = confidence;

  double place(double share) const { return from * std::pow(to / from, share); }

  // Of the curve: the line's mean over the units, and how far a bent curve lies from it.
  Interval interval(double share) const {
    std::vector<double> logs;
    for (const auto& [first, second] : values) logs.push_back((1 - share) * first + share * second);
    const double length = std::log(to / from);
    return mean_interval_with_error(logs, deviation * length * length * share * (1 - share) / 2, level);
  }
  // By the units that both have; where there are none, by the two speed-ups.
  double share_of_crossing(double first, double second) const {
    const Interval start = interval(0), end = interval(1);
    if (start.centre * end.centre < 0) return start.centre / (start.centre - end.centre);
    return std::log(first) / std::log(first / second);
  }
  bool may_be_even(double share) const {
    const Interval known = interval(share);
    return known.low <= 0 && known.high >= 0;
  }
};

Stretch stretch_between(const BreakEvenPoint& one, const BreakEvenPoint& next) {
  Stretch stretch{one.at, next.at, {}};
  const bool by_launch = has_launches(one) || has_launches(next);
  const LogsByUnit first = logs_by_unit(one.blocks, by_launch), second = logs_by_unit(next.blocks, by_launch);
  for (const auto& [unit, log] : first) {
    const auto other = second.find(unit);
    if (other != second.end()) stretch.values.emplace_back(log, other->second);
  }
  return stretch;
}

// The second derivative at `middle`: its mean over the units that all three points have; NaN without any.
double bend_at(const BreakEvenPoint& one, const BreakEvenPoint& middle, const BreakEvenPoint& next) {
  const bool by_launch = has_launches(one) || has_launches(middle) || has_launches(next);
  const LogsByUnit first = logs_by_unit(one.blocks, by_launch), third = logs_by_unit(next.blocks, by_launch);
  std::vector<double> bends;
  for (const auto& [unit, log] : logs_by_unit(middle.blocks, by_launch)) {
    const auto before = first.find(unit), after = third.find(unit);
    if (before == first.end() || after == third.end()) continue;
    const double slope_before = (log - before->second) / std::log(middle.at / one.at);
    const double slope_after = (after->second - log) / std::log(next.at / middle.at);
    bends.push_back(2 * (slope_after - slope_before) / std::log(next.at / one.at));
  }
  return mean(bends);
}

// The stretch behind points[at]. A bend at its ends that is more than usual counts as two deviations.
Stretch stretch_of(std::span<const BreakEvenPoint> points, std::size_t at, double level) {
  Stretch stretch = stretch_between(points[at], points[at + 1]);
  stretch.level = level;
  if (at > 0)
    stretch.deviation =
        std::fmax(stretch.deviation, std::abs(bend_at(points[at - 1], points[at], points[at + 1])) / 2);
  if (at + 2 < points.size())
    stretch.deviation =
        std::fmax(stretch.deviation, std::abs(bend_at(points[at], points[at + 1], points[at + 2])) / 2);
  return stretch;
}

// Between a share that may be even and one that is not.
double border(const Stretch& stretch, double even, double uneven) {
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (even + uneven) / 2;
    (stretch.may_be_even(middle) ? even : uneven) = middle;
  }
  return stretch.place(even);
}

// From the share `start` of the stretch behind points[at], over points in one direction. Beyond the range
// where its end is reached: 0 or infinite. Nothing where neighbours have too few units in common.
std::optional<double> bound(std::span<const BreakEvenPoint> points, std::size_t at, double start, bool up,
                            double level) {
  while (true) {
    const Stretch stretch = stretch_of(points, at, level);
    const double end = up ? 1 : 0;
    if (stretch.values.size() < fewest_for_interval || !stretch.may_be_even(start)) return std::nullopt;
    if (!stretch.may_be_even(end)) return border(stretch, start, end);
    if (up ? at + 2 >= points.size() : at == 0) return up ? std::numeric_limits<double>::infinity() : 0;
    at = up ? at + 1 : at - 1;
    start = up ? 0 : 1;
  }
}

// The only i with points[i] and points[i + 1] on different sides of 1.
std::optional<std::size_t> only_change(std::span<const BreakEvenPoint> points, std::size_t first,
                                       std::size_t last) {
  std::optional<std::size_t> found;
  for (std::size_t i = first; i < last; ++i) {
    if (!(points[i].centre > 0 && points[i + 1].centre > 0)) return std::nullopt;
    if ((points[i].centre > 1) == (points[i + 1].centre > 1)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

double mean_log(const std::vector<PairedBlock>& blocks) {
  std::vector<double> logs;
  for (const auto& [unit, log] : logs_by_unit(blocks, unit_of(blocks) == SamplingUnit::launch))
    logs.push_back(log);
  return mean(logs);
}

// The share of the distance between two neighbours on which a configuration is faster than one
// GPU; 0 where it does not cross 1 there in the same direction.
double faster_share(const BreakEvenPoint& before, const BreakEvenPoint& after, const std::string& rival) {
  const BreakEvenPoint &slower = after.centre > 1 ? before : after,
                       &faster = after.centre > 1 ? after : before;
  const auto below = slower.rivals.find(rival), above = faster.rivals.find(rival);
  if (below == slower.rivals.end() || above == faster.rivals.end()) return 0;
  const double low = mean_log(below->second), high = mean_log(above->second);
  return low <= 0 && high > 0 ? high / (high - low) : 0;
}

// The points with the blocks of the configuration that crosses 1 first between points[at] and the next, and
// among how many that cross there it was chosen.
struct FirstToCross {
  std::vector<BreakEvenPoint> points;
  std::size_t rivals = 1;
};

FirstToCross first_to_cross(std::span<const BreakEvenPoint> points, std::size_t at) {
  FirstToCross found{.points = {points.begin(), points.end()}};
  const std::string* first = nullptr;
  std::size_t crossing = 0;
  double most = 0;
  for (const auto& [rival, blocks] : points[at].rivals) {
    const double share = faster_share(points[at], points[at + 1], rival);
    crossing += share > 0 ? 1 : 0;
    if (!(share > most)) continue;
    most = share;
    first = &rival;
  }
  if (first == nullptr) return found;
  found.rivals = crossing;
  for (BreakEvenPoint& point : found.points) {
    const auto own = point.rivals.find(*first);
    point.blocks = own == point.rivals.end() ? std::vector<PairedBlock>() : own->second;
  }
  return found;
}

}  // namespace

Interval find_crossing(std::span<const BreakEvenPoint> all, std::size_t first, std::size_t last) {
  Interval crossing;
  const std::optional<std::size_t> change = only_change(all, first, last);
  if (!change) return crossing;
  const auto [points, rivals] = first_to_cross(all, *change);
  const double level = 1 - (1 - confidence) / static_cast<double>(rivals);
  const Stretch stretch = stretch_of(points, *change, level);
  const double share = stretch.share_of_crossing(points[*change].centre, points[*change + 1].centre);
  crossing.centre = stretch.place(share);
  const std::optional<double> low = bound(points, *change, share, false, level),
                              high = bound(points, *change, share, true, level);
  if (!low || !high) return crossing;
  crossing.low = *low;
  crossing.high = *high;
  crossing.n = stretch.values.size();
  return crossing;
}

}  // namespace breakeven::statistics
