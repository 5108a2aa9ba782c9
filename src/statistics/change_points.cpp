// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

// Costs of segments from running sums, in constant time. Values are taken less their mean, so that a small
// spread about a large level loses no digits.
class SegmentCost {
 public:
  SegmentCost(std::span<const double> values, double least_variance)
      : sums_(values.size() + 1), squares_(values.size() + 1), least_variance_(least_variance) {
    const double centre = mean(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i] - centre;
      sums_[i + 1] = sums_[i] + value;
      squares_[i + 1] = squares_[i] + value * value;
    }
  }

  struct Spread {
    double variance;  // as it counts: at least the least
    double log;       // of 2 pi times that
  };
  Spread spread(std::size_t begin, std::size_t end) const {
    const double counted = std::max(variance(begin, end), least_variance_);
    return {counted, std::log(2 * std::numbers::pi * counted)};
  }

  double operator()(std::size_t begin, std::size_t end) const {
    return at_least(begin, end, spread(begin, end));
  }

  // No more than the cost, and equal to it where the spread is the segment's own: log(x) >= 1 - 1 / x. It
  // takes no logarithm, which is most of what a cost takes.
  double at_least(std::size_t begin, std::size_t end, const Spread& known) const {
    const double own = variance(begin, end);
    return static_cast<double>(end - begin) *
           (known.log + 1 + (own - known.variance) / std::max(own, least_variance_));
  }

 private:
  double variance(std::size_t begin, std::size_t end) const {
    const double m = static_cast<double>(end - begin);
    const double level = (sums_[end] - sums_[begin]) / m;
    return (squares_[end] - squares_[begin]) / m - level * level;
  }

  std::vector<double> sums_;
  std::vector<double> squares_;
  double least_variance_;
};

// Where the last segment may begin.
struct Candidate {
  std::size_t begin = 0;
  double at_least = 0;                                             // with the segment up to here
  std::size_t last_end = std::numeric_limits<std::size_t>::max();  // from there on another one is better
};

}  // namespace

std::vector<std::size_t> change_points(std::span<const double> values, const ChangePointOptions& options) {
  const std::size_t n = values.size();
  if (n < 2 * options.shortest) return {};
  const SegmentCost cost(values, options.least_variance);
  std::vector<double> before(n + 1, 0);  // [begin]: the least cost of values [0, begin) and of a change there
  std::vector<std::size_t> start(n + 1, 0);  // [end]: of the last segment of values [0, end)
  std::vector<Candidate> candidates{{}};
  for (std::size_t end = options.shortest; end <= n; ++end) {
    const std::size_t likely = start[end - 1];
    const SegmentCost::Spread spread = cost.spread(likely, end);
    start[end] = likely;
    double best = before[likely] + cost.at_least(likely, end, spread);
    for (Candidate& one : candidates) {
      one.at_least = before[one.begin] + cost.at_least(one.begin, end, spread);
      if (!(one.at_least < best)) continue;
      const double total = before[one.begin] + cost(one.begin, end);
      if (!(total < best)) continue;
      best = total;
      start[end] = one.begin;
    }
    before[end] = best + options.penalty;
    // A candidate that a change here beats by now, it beats for every later end that leaves room for a
    // segment.
    for (Candidate& one : candidates)
      if (one.at_least > before[end]) one.last_end = std::min(one.last_end, end + options.shortest - 1);
    std::erase_if(candidates, [end](const Candidate& one) { return one.last_end <= end; });
    const std::size_t next = end + 1 - options.shortest;
    if (next >= options.shortest) candidates.push_back({.begin = next});
  }
  std::vector<std::size_t> found;
  for (std::size_t end = n; start[end] > 0; end = start[end]) found.push_back(start[end]);
  std::ranges::reverse(found);
  return found;
}

}  // namespace breakeven::statistics
