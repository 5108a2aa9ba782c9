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

// A launch where there are several, else a run.
using Unit = std::pair<std::uint32_t, std::uint32_t>;
using LogsByUnit = std::map<Unit, double>;  // the mean logarithm of the speed-up

LogsByUnit logs_by_unit(const std::vector<PairedBlock>& blocks) {
  const bool by_launch = unit_of(blocks) == SamplingUnit::launch;
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

  double place(double share) const { return from * std::pow(to / from, share); }

  // Of the line's mean over the units.
  Interval interval(double share) const {
    std::vector<double> logs;
    for (const auto& [first, second] : values) logs.push_back((1 - share) * first + share * second);
    return mean_interval(logs);
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
  const LogsByUnit first = logs_by_unit(one.blocks), second = logs_by_unit(next.blocks);
  for (const auto& [unit, log] : first) {
    const auto other = second.find(unit);
    if (other != second.end()) stretch.values.emplace_back(log, other->second);
  }
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
std::optional<double> bound(std::span<const BreakEvenPoint> points, std::size_t at, double start, bool up) {
  while (true) {
    const Stretch stretch = stretch_between(points[at], points[at + 1]);
    const double end = up ? 1 : 0;
    if (stretch.values.size() < fewest_for_interval || !stretch.may_be_even(start)) return std::nullopt;
    if (!stretch.may_be_even(end)) return border(stretch, start, end);
    if (up ? at + 2 >= points.size() : at == 0) return up ? std::numeric_limits<double>::infinity() : 0;
    at = up ? at + 1 : at - 1;
    start = up ? 0 : 1;
  }
}

// Of the line through `one` and `next`, which are neighbours of the stretch from points[at] on or its first
// or last point: which part of that stretch may be even, a step too wide at both ends. The end that the line
// tends to where none may be. Nothing where too few units are in common.
std::optional<std::pair<double, double>> even_part(const BreakEvenPoint& one, const BreakEvenPoint& next,
                                                   double from, double to) {
  constexpr int steps = 256;
  const Stretch line = stretch_between(one, next);
  if (line.values.size() < fewest_for_interval) return std::nullopt;
  const auto place = [&](int step) { return from * std::pow(to / from, step / double{steps}); };
  const auto share = [&](double at) { return std::log(at / line.from) / std::log(line.to / line.from); };
  int first = steps, last = 0;
  double before = std::numeric_limits<double>::quiet_NaN();  // the line at the last step
  for (int step = 0; step <= steps; ++step) {
    const Interval known = line.interval(share(place(step)));
    const bool crosses = known.centre * before < 0;  // between two steps, neither of which may be even
    before = known.centre;
    if (!crosses && !(known.low <= 0 && known.high >= 0)) continue;
    first = std::min(first, step);
    last = std::max(last, step);
  }
  if (first > last) first = last = line.from < from ? steps : 0;
  return std::pair{place(std::max(first - 1, 0)), place(std::min(last + 1, steps))};
}

// Whether the curve surely bends at `middle`: the 95 % interval of the change of its slope does not hold 0.
bool surely_bends(const BreakEvenPoint& one, const BreakEvenPoint& middle, const BreakEvenPoint& next) {
  const LogsByUnit first = logs_by_unit(one.blocks), second = logs_by_unit(middle.blocks),
                   third = logs_by_unit(next.blocks);
  const auto slope = [](double from, double to, double rise) { return rise / std::log(to / from); };
  std::vector<double> bends;
  for (const auto& [unit, log] : second) {
    const auto before = first.find(unit), after = third.find(unit);
    if (before != first.end() && after != third.end())
      bends.push_back(slope(middle.at, next.at, after->second - log) -
                      slope(one.at, middle.at, log - before->second));
  }
  const Interval bend = mean_interval(bends);
  return bend.low > 0 || bend.high < 0;
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
  for (const auto& [unit, log] : logs_by_unit(blocks)) logs.push_back(log);
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

// The points with the blocks of the configuration that crosses 1 first between points[at] and the next.
std::vector<BreakEvenPoint> points_of_first(std::span<const BreakEvenPoint> points, std::size_t at) {
  std::vector<BreakEvenPoint> of_first(points.begin(), points.end());
  const std::string* first = nullptr;
  double most = 0;
  for (const auto& [rival, blocks] : points[at].rivals) {
    const double share = faster_share(points[at], points[at + 1], rival);
    if (!(share > most)) continue;
    most = share;
    first = &rival;
  }
  if (first == nullptr) return of_first;
  for (BreakEvenPoint& point : of_first) {
    const auto own = point.rivals.find(*first);
    point.blocks = own == point.rivals.end() ? std::vector<PairedBlock>() : own->second;
  }
  return of_first;
}

}  // namespace

Interval find_crossing(std::span<const BreakEvenPoint> all, std::size_t first, std::size_t last) {
  Interval crossing;
  const std::optional<std::size_t> change = only_change(all, first, last);
  if (!change) return crossing;
  const std::vector<BreakEvenPoint> points = points_of_first(all, *change);
  const BreakEvenPoint &before = points[*change], &after = points[*change + 1];
  const Stretch stretch = stretch_between(before, after);
  const double share = stretch.share_of_crossing(before.centre, after.centre);
  crossing.centre = stretch.place(share);
  std::optional<double> low = bound(points, *change, share, false),
                        high = bound(points, *change, share, true);
  const bool has_first = *change > 0, has_last = *change + 2 < points.size();
  if (!low || !high || !(has_first || has_last)) return crossing;
  const auto widen = [&](const BreakEvenPoint& one, const BreakEvenPoint& next) {
    const auto part = even_part(one, next, before.at, after.at);
    if (!part) return;
    low = std::min(*low, part->first);
    high = std::max(*high, part->second);
  };
  if (has_first && surely_bends(points[*change - 1], before, after)) widen(points[*change - 1], before);
  if (has_last && surely_bends(before, after, points[*change + 2])) widen(after, points[*change + 2]);
  crossing.low = *low;
  crossing.high = *high;
  crossing.n = stretch.values.size();
  return crossing;
}

}  // namespace breakeven::statistics
