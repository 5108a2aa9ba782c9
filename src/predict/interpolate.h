// SPDX-License-Identifier: Apache-2.0
// Between known points by a straight line, beyond them as at the nearest.
#pragma once

#include <iterator>
#include <map>

namespace breakeven {

// At least one point is known.
inline double interpolate(double x, const std::map<double, double>& known) {
  const auto above = known.lower_bound(x);
  if (above == known.end()) return known.rbegin()->second;
  if (above == known.begin() || above->first == x) return above->second;
  const auto below = std::prev(above);
  const double share = (x - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

}  // namespace breakeven
