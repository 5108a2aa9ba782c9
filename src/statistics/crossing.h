// SPDX-License-Identifier: Apache-2.0
// Where a measured speed-up crosses 1, between the points at which it was measured.
#pragma once

#include <span>

#include "src/statistics/break_even.h"

namespace breakeven::statistics {

// As find_break_evens() says, between points[first] and points[last]. The centre is NaN unless exactly one
// pair of neighbours there is on different sides.
Interval find_crossing(std::span<const BreakEvenPoint> points, std::size_t first, std::size_t last);

}  // namespace breakeven::statistics
