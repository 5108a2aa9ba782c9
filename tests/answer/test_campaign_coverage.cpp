// SPDX-License-Identifier: Apache-2.0
// How often the intervals of campaigns hold the truth, with a launch effect of 3 % and a run effect of 1 %.
// bin/coverage_table prints the whole table.
#include <gtest/gtest.h>

#include "tests/support/campaign_simulation.h"

namespace breakeven {
namespace {

// The share of 1000 campaigns has a standard deviation of sqrt(0.95 * 0.05 / 1000) = 0.7 %, so 93 to 97 % is
// 2.9 of them to either side: an interval that covers 95 % fails in 4 of 1000 seeds, one that covers 91 or 99
// % passes in under 2 of 100.
constexpr std::uint32_t campaign_replications = 1000;

class BetweenLaunches : public testing::TestWithParam<Campaign> {};

TEST_P(BetweenLaunches, CoversAsPromised) {
  const Coverage coverage = coverage_of(GetParam(), campaign_replications);
  EXPECT_TRUE(as_promised(coverage.step_time));
  EXPECT_TRUE(as_promised(coverage.speedup));
  EXPECT_TRUE(as_promised(coverage.break_even));
  EXPECT_GE(coverage.given, 0.9);
  EXPECT_GE(coverage.sides, 0.95);
}

INSTANTIATE_TEST_SUITE_P(OfCampaigns, BetweenLaunches,
                         testing::Values(Campaign{3, LaunchEffect::of_case},
                                         Campaign{3, LaunchEffect::of_configuration},
                                         Campaign{5, LaunchEffect::of_case},
                                         Campaign{5, LaunchEffect::of_configuration},
                                         Campaign{10, LaunchEffect::of_configuration}));

// What the label "within one launch" is for.
TEST(OneLaunch, DoesNotTellOfOthers) {
  for (const LaunchEffect effect : {LaunchEffect::of_case, LaunchEffect::of_configuration}) {
    const Coverage coverage = coverage_of({1, effect}, campaign_replications);
    EXPECT_LE(coverage.step_time, 0.5);
    EXPECT_LE(coverage.speedup, 0.5);
    EXPECT_LE(coverage.break_even, 0.75) << "its interval allows for a bend, but not for the launch";
  }
}

TEST(OneLaunch, DoesWhereItsEffectIsCommonToBothSides) {
  const Coverage coverage = coverage_of({1, LaunchEffect::common}, campaign_replications);
  EXPECT_LE(coverage.step_time, 0.5);
  EXPECT_TRUE(as_promised(coverage.speedup));
  EXPECT_TRUE(as_promised(coverage.break_even));
}

TEST(TwoLaunches, HaveNoInterval) {
  const Judged judged = judge_campaign({2, LaunchEffect::of_case}, 0);
  EXPECT_FALSE(judged.step_time || judged.speedup);
  EXPECT_FALSE(judged.crossing.has_bounds());
}

}  // namespace
}  // namespace breakeven
