// SPDX-License-Identifier: Apache-2.0
// The best of many: chosen on one half, reported on the other, without the winner's curse.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/paired_ratio.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

using Rivals = std::vector<std::vector<statistics::PairedBlock>>;

constexpr std::uint32_t replications = 2000;

// Twenty ways that are all exactly as fast, 4 % apart from block to block.
Rivals equal_rivals(std::uint32_t replication, std::uint32_t launches, std::uint32_t repeats) {
  Rivals rivals(20);
  for (std::uint32_t rival = 0; rival < rivals.size(); ++rival) {
    for (std::uint32_t block = 0; block < launches * repeats; ++block) {
      const double ratio = 1.1 * std::exp(0.04 * normal(replication, rival, block));
      rivals[rival].push_back({block / repeats, block % repeats, ratio});
    }
  }
  return rivals;
}

TEST(Selection, TheOtherHalfIsNotFlattered) {
  double reported = 0;
  double naive = 0;
  for (std::uint32_t i = 0; i < replications; ++i) {
    const Rivals rivals = equal_rivals(i, 1, 8);
    reported += std::log(statistics::choose_by_halves(rivals)->speedup.ratio.centre / 1.1) / replications;
    double highest = 0;
    for (const auto& blocks : rivals)
      highest = std::max(highest, statistics::estimate_paired(blocks).ratio.centre);
    naive += std::log(highest / 1.1) / replications;
  }
  const double error = 0.04 / std::sqrt(4.0) / std::sqrt(replications);
  EXPECT_TRUE(near(reported, 0, 3 * error));
  EXPECT_GT(naive, 0.02);  // 1.87 standard errors of a mean of eight
}

TEST(Selection, TheOtherHalfsIntervalCovers) {
  const double share = share_of(replications, [](std::uint32_t i) {
    const statistics::Interval ratio = statistics::choose_by_halves(equal_rivals(i, 1, 8))->speedup.ratio;
    return ratio.low <= 1.1 && 1.1 <= ratio.high;
  });
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.97);
}

TEST(Selection, WhatIsClearlyFastestIsChosenByBothHalves) {
  Rivals rivals = equal_rivals(0, 1, 5);
  for (statistics::PairedBlock& block : rivals[7]) block.ratio *= 1.5;
  const auto winner = statistics::choose_by_halves(rivals);
  EXPECT_EQ(winner->rival, 7u);
  EXPECT_TRUE(winner->is_agreed);
  EXPECT_EQ(winner->speedup.ratio.n, 3u);  // repeats 0, 2 and 4
}

TEST(Selection, LaunchesAreHalvedWhereThereAreSeveral) {
  const auto winner = statistics::choose_by_halves(equal_rivals(0, 6, 2));
  EXPECT_EQ(winner->speedup.unit, statistics::SamplingUnit::launch);
  EXPECT_EQ(winner->speedup.ratio.n, 3u);
}

TEST(Selection, NothingToChooseFromIsNoChoice) {
  EXPECT_FALSE(statistics::choose_by_halves(Rivals{}));
  EXPECT_FALSE(statistics::choose_by_halves(Rivals{{{0, 0, 1.0}, {0, 1, 1.0}}}));
  const double nan = std::nan("");
  EXPECT_FALSE(statistics::choose_by_halves(
      Rivals{{{0, 0, 1.0}, {0, 1, 1.0}}, {{0, 0, nan}, {0, 1, 9.0}}, {{0, 1, 9.0}}}));
}

}  // namespace
}  // namespace breakeven
