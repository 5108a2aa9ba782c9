// SPDX-License-Identifier: Apache-2.0
// The best of many: its interval holds although luck chose it.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/payoff.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

using Rivals = std::vector<std::vector<statistics::PairedBlock>>;

constexpr std::uint32_t selection_replications = 2000;

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

// The worst case for a choice: nothing but luck decides. Within one launch, and between three and eight.
TEST(Selection, TheIntervalHoldsWhicheverCameOutFastest) {
  for (const auto& [launches, repeats] : {std::pair{1u, 8u}, std::pair{3u, 2u}, std::pair{8u, 1u}}) {
    const double share = share_of(selection_replications, [&](std::uint32_t i) {
      const statistics::Interval ratio =
          statistics::choose_best(equal_rivals(i, launches, repeats))->speedup.ratio;
      return ratio.low <= 1.1 && 1.1 <= ratio.high;
    });
    EXPECT_GE(share, 0.95) << launches;
  }
}

TEST(Selection, ItsOwnIntervalDoesNot) {
  const double share = share_of(selection_replications, [](std::uint32_t i) {
    const Rivals rivals = equal_rivals(i, 1, 8);
    const statistics::Interval ratio =
        statistics::estimate_paired(rivals[statistics::choose_best(rivals)->rival]).ratio;
    return ratio.low <= 1.1 && 1.1 <= ratio.high;
  });
  EXPECT_LT(share, 0.8);
}

TEST(Selection, TheLeadIsOverTheNextFastest) {
  Rivals rivals = equal_rivals(0, 1, 8);
  for (statistics::PairedBlock& block : rivals[7]) block.ratio *= 2;
  for (statistics::PairedBlock& block : rivals[3]) block.ratio *= 1.5;
  const auto winner = statistics::choose_best(rivals);
  EXPECT_EQ(winner->rival, 7u);
  EXPECT_LT(winner->lead.ratio.low, 2 / 1.5);
  EXPECT_GT(winner->lead.ratio.high, 2 / 1.5);
  EXPECT_GT(winner->lead.ratio.low, 1);
}

TEST(Selection, OnlyBlocksOfBothTellTheLead) {
  const Rivals rivals{{{0, 0, 3.0}, {0, 1, 3.0}, {0, 2, 3.0}}, {{0, 1, 2.0}, {0, 2, 2.0}, {0, 7, 2.0}}};
  const auto winner = statistics::choose_best(rivals);
  EXPECT_EQ(winner->lead.ratio.n, 2u);
  EXPECT_NEAR(winner->lead.ratio.centre, 1.5, 1e-12);
}

TEST(Selection, LaunchesAreTheUnitsWhereThereAreSeveral) {
  const auto winner = statistics::choose_best(equal_rivals(0, 6, 2));
  EXPECT_EQ(winner->speedup.unit, statistics::SamplingUnit::launch);
  EXPECT_EQ(winner->speedup.ratio.n, 6u);
}

TEST(Selection, NothingToChooseFromIsNoChoice) {
  EXPECT_FALSE(statistics::choose_best(Rivals{}));
  EXPECT_FALSE(statistics::choose_best(Rivals{{{0, 0, 1.0}, {0, 1, 1.0}}}));
  const double nan = std::nan("");
  EXPECT_FALSE(statistics::choose_best(Rivals{{{0, 0, 1.0}, {0, 1, 1.0}}, {{0, 0, nan}, {0, 1, 9.0}}, {}}));
}

}  // namespace
}  // namespace breakeven
