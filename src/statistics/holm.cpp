// SPDX-License-Identifier: Apache-2.0
// Holm's step-down procedure.
#include "src/statistics/holm.h"

#include <algorithm>
#include <cmath>

namespace breakeven {

std::vector<HolmLevel> holm_levels(std::span<const double> probabilities, double error) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (!std::isnan(probabilities[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probabilities[i]; });
  std::vector<HolmLevel> levels(probabilities.size(), {error, false});
  bool holds = true;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    HolmLevel& level = levels[order[rank]];
    level.error = error / static_cast<double>(order.size() - rank);
    holds = holds && probabilities[order[rank]] <= level.error;
    level.holds = holds;
  }
  return levels;
}

}  // namespace breakeven
