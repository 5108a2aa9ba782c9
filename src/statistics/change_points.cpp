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

  double operator()(std::size_t begin, std::size_t end) const {
    const double m = static_cast<double>(end - begin);
    const double level = (sums_[end] - sums_[begin]) / m;
    const double variance = (squares_[end] - squares_[begin]) / m - level * level;
    const double spread = std::max(variance, least_variance_);
    return m * (std::log(2 * std::numbers::pi * spread) + variance / spread);
  }

 private:
  std::vector<double> sums_;
  std::vector<double> squares_;
  double least_variance_;
};

}  // namespace

std::vector<std::size_t> change_points(std::span<const double> values, const ChangePointOptions& options) {
  const std::size_t n = values.size();
  if (n < 2 * options.shortest) return {};
  const SegmentCost cost(values, options.least_variance);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> best(n + 1, infinity);  // [end]: of values [0, end)
  std::vector<std::size_t> start(n + 1, 0);   // [end]: of the last segment
  best[0] = -options.penalty;
  std::vector<std::size_t> candidates{0};
  for (std::size_t end = options.shortest; end <= n; ++end) {
    for (const std::size_t begin : candidates) {
      const double total = best[begin] + cost(begin, end) + options.penalty;
      if (total < best[end]) {
        best[end] = total;
        start[end] = begin;
      }
    }
    // A candidate that a change at `known` beats by now, it beats for every later end that leaves room for a
    // segment.
    const std::size_t known = end + 1 - options.shortest;
    if (known < options.shortest) continue;
    std::erase_if(candidates,
                  [&](std::size_t begin) { return best[begin] + cost(begin, known) > best[known]; });
    candidates.push_back(known);
  }
  std::vector<std::size_t> found;
  for (std::size_t end = n; start[end] > 0; end = start[end]) found.push_back(start[end]);
  std::ranges::reverse(found);
  return found;
}

}  // namespace breakeven::statistics
