// SPDX-License-Identifier: Apache-2.0
// Many verdicts in one table: that none of them is wrong is to hold 95 times of 100, not each by itself.
#pragma once

#include <span>
#include <vector>

namespace breakeven {

// For each of a family's probabilities of a mere chance find, the level that it is held to: `error` divided
// by the number of those that are not smaller, itself included, and so it is for those below it in rank
// (Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
// 1979). The first that fails its level makes all larger ones fail: `holds` has the outcome. A NaN is no
// member of the family: it counts for nothing and holds nothing.
struct HolmLevel {
  double error = 0;
  bool holds = false;
};
std::vector<HolmLevel> holm_levels(std::span<const double> probabilities, double error);

}  // namespace breakeven
