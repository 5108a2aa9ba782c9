// SPDX-License-Identifier: Apache-2.0
// A second opinion on the end of the warm-up, by another principle than change points.
#pragma once

#include <cstddef>
#include <span>

namespace breakeven {

// MSER-5 (White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation",
// WSC 2000): means of 5 values; of all truncations of at most the first half, the one that makes the
// standard error of the rest's mean smallest. In values, a multiple of 5.
std::size_t mser5_truncation(std::span<const double> values);

}  // namespace breakeven
