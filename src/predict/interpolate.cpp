// SPDX-License-Identifier: Apache-2.0
#include "src/predict/interpolate.h"

#include <cmath>
#include <iterator>

namespace breakeven::predict {

double interpolate(double x, const KnownAt& known) {
  const auto above = known.lower_bound(x);
  if (above == known.end()) return known.rbegin()->second;
  if (above == known.begin() || above->first == x) return above->second;
  const auto below = std::prev(above);
  const double share = (x - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

double error_scale(double x, const KnownAt& known) {
  const auto above = known.lower_bound(x);
  if (above == known.end()) return std::sqrt(x - known.rbegin()->first);
  if (above == known.begin() || above->first == x) return std::sqrt(above->first - x);
  const double before = x - std::prev(above)->first, behind = above->first - x;
  return std::sqrt(before * behind / (before + behind));
}

bool is_tested_at(double x, const KnownAt& known) {
  constexpr double rounding = 1e-9;
  const double least = known.begin()->first, most = known.rbegin()->first;
  if (known.size() == 1) return std::abs(x - least) <= rounding;
  const double below = std::next(known.begin())->first - least,
               beyond = most - std::next(known.rbegin())->first;
  return least - below - rounding <= x && x <= most + beyond + rounding;
}

}  // namespace breakeven::predict
