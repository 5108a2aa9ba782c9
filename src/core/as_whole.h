// SPDX-License-Identifier: Apache-2.0
// Whole numbers from those of a file, which may be anything: a cast from beyond the type's range has no
// defined value.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace breakeven {

// Without its fraction. 0 for NaN and what is negative; the largest for what is larger.
template <std::unsigned_integral Whole>
Whole as_whole(double value) {
  if (!(value > 0)) return 0;
  const double beyond = std::ldexp(1.0, std::numeric_limits<Whole>::digits);
  return value < beyond ? static_cast<Whole>(value) : std::numeric_limits<Whole>::max();
}

}  // namespace breakeven
