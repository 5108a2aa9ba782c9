// SPDX-License-Identifier: Apache-2.0
// The best of many, and how good it really is. The one that came out fastest was also lucky: to report the
// speed that it was chosen by flatters it (the winner's curse; cross-validation as the remedy: Hastie,
// Tibshirani and Friedman, "The Elements of Statistical Learning", 2009, section 7.10.2).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "src/statistics/paired_ratio.h"

namespace breakeven {

struct Winner {
  std::size_t rival = 0;   // its place among the rivals
  RatioEstimate speedup;   // by the half that it was not chosen on
  bool is_agreed = false;  // the other half would have chosen it too
};

// Chosen by the highest mean logarithm of its ratios in one half of the blocks, reported by the other: every
// second launch where there are several, else every second repeat; the first, third, ... report, so that the
// larger half does. Rivals without a number in either half take no part; none where fewer than two do.
std::optional<Winner> choose_by_halves(std::span<const std::vector<PairedBlock>> rivals);

}  // namespace breakeven
