// SPDX-License-Identifier: Apache-2.0
// Many verdicts in one table: Holm's levels by hand, and how often any verdict of a table is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/payoff.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr std::uint32_t holm_replications = 500;

TEST(Holm, LevelsByHand) {
  const auto levels = statistics::holm_levels(std::vector{0.04, 0.001, 0.03, 0.01}, 0.05);
  const std::vector<double> errors{0.05, 0.0125, 0.025, 0.05 / 3};
  const std::vector<bool> holds{false, true, false, true};  // 0.03 fails 0.025, and 0.04 falls with it
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_TRUE(near(levels[i].error, errors[i], 1e-15)) << i;
    EXPECT_EQ(levels[i].holds, holds[i]) << i;
  }
}

TEST(Holm, NaNIsNoMember) {
  const auto levels = statistics::holm_levels(std::vector{std::nan(""), 0.02, 0.04}, 0.05);
  EXPECT_FALSE(levels[0].holds);
  EXPECT_TRUE(levels[1].holds);
  EXPECT_TRUE(levels[2].holds);
}

statistics::RatioEstimate simulated(double truth, std::uint32_t blocks, std::uint32_t replication,
                                    std::uint32_t line) {
  std::vector<double> ratios;
  for (std::uint32_t block = 0; block < blocks; ++block)
    ratios.push_back(truth * std::exp(0.03 * normal(replication, line, block)));
  return statistics::estimate_ratio(ratios);
}

// Twelve speed-ups, each exactly at a border, where half of what could be said is wrong: "pays" of 1.02,
// "does not pay" of 0.98 (to call either the same is right).
bool any_is_wrong(bool together, std::uint32_t blocks, std::uint32_t replication) {
  std::vector<statistics::RatioEstimate> speedups;
  for (std::uint32_t line = 0; line < 12; ++line)
    speedups.push_back(simulated(line % 2 == 0 ? 1.02 : 0.98, blocks, replication, line));
  std::vector<statistics::Decision> decisions = statistics::decide_together(speedups);
  for (std::size_t line = 0; line < speedups.size(); ++line) {
    if (!together) decisions[line] = statistics::decide(speedups[line]);
    if (decisions[line].verdict ==
        (line % 2 == 0 ? statistics::Payoff::pays : statistics::Payoff::does_not_pay))
      return true;
  }
  return false;
}

TEST(DecideTogether, AtMostOneTableInTwentyHasAWrongVerdict) {
  for (const std::uint32_t blocks : {4u, 8u}) {
    const auto wrong = [&](bool together) {
      return share_of(holm_replications, [&](std::uint32_t i) { return any_is_wrong(together, blocks, i); });
    };
    EXPECT_LE(wrong(true), 0.05) << blocks;
    EXPECT_GE(wrong(false), 0.2) << blocks;  // each by itself: 1 - 0.975^12
  }
}

TEST(DecideTogether, OneAloneIsDecidedAsByItself) {
  for (const double truth : {0.9, 0.97, 1.0, 1.03, 1.2}) {
    for (std::uint32_t i = 0; i < 50; ++i) {
      const statistics::RatioEstimate speedup = simulated(truth, 6, i, 0);
      const std::vector<statistics::Decision> decisions = statistics::decide_together(std::vector{speedup});
      EXPECT_EQ(decisions.front().verdict, statistics::decide(speedup).verdict) << truth << ' ' << i;
    }
  }
}

// What is clear stays clear in company; what is only just so does not.
TEST(DecideTogether, ManyLinesAskForMore) {
  std::vector<statistics::RatioEstimate> speedups(20, simulated(1.5, 6, 0, 0));
  for (const statistics::Decision& decision : statistics::decide_together(speedups))
    EXPECT_EQ(decision.verdict, statistics::Payoff::pays);
  std::vector<statistics::RatioEstimate> border;
  for (std::uint32_t line = 0; border.size() < 20; ++line) {
    const statistics::RatioEstimate speedup = simulated(1.06, 5, 1, line);
    if (speedup.ratio.low > 1.02 && speedup.ratio.low < 1.025) border.push_back(speedup);
  }
  for (const statistics::Decision& decision : statistics::decide_together(border)) {
    EXPECT_EQ(decision.verdict, statistics::Payoff::undecided);
    EXPECT_GT(decision.more_units, 0u);
  }
}

TEST(DecideTogether, WhatIsNotMeasuredOrTooLittleStaysSo) {
  statistics::RatioEstimate nothing;
  const std::vector<statistics::Decision> decisions = statistics::decide_together(
      std::vector{nothing, statistics::estimate_ratio(std::vector{1.5}), simulated(1.5, 8, 0, 0)});
  EXPECT_EQ(decisions[0].verdict, statistics::Payoff::not_measured);
  EXPECT_EQ(decisions[1].verdict, statistics::Payoff::undecided);
  EXPECT_EQ(decisions[1].more_units, 2u);
  EXPECT_EQ(decisions[2].verdict, statistics::Payoff::pays);
}

}  // namespace
}  // namespace breakeven
