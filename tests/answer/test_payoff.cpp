// SPDX-License-Identifier: Apache-2.0
// Each verdict, its borders, and that nothing unmeasured ever gets one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "src/statistics/payoff.h"

namespace breakeven {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

statistics::RatioEstimate estimate(double centre, double low, double high, std::size_t n = 10,
                                   double log_deviation = 0.05) {
  return {{centre, low, high, n}, log_deviation};
}

TEST(Payoff, FollowsTheInterval) {
  EXPECT_EQ(statistics::decide(estimate(1.5, 1.4, 1.6)).verdict, statistics::Payoff::pays);
  EXPECT_EQ(statistics::decide(estimate(0.74, 0.72, 0.76)).verdict, statistics::Payoff::does_not_pay);
  EXPECT_EQ(statistics::decide(estimate(1.0, 0.99, 1.01)).verdict, statistics::Payoff::same);
  EXPECT_EQ(statistics::decide(estimate(1.02, 0.98, 1.07)).verdict, statistics::Payoff::undecided);
}

TEST(Payoff, TheBordersThemselvesArePracticallyTheSame) {
  EXPECT_EQ(statistics::decide(estimate(1.0, 0.98, 1.02)).verdict, statistics::Payoff::same);
  EXPECT_EQ(statistics::decide(estimate(1.04, 1.02, 1.06)).verdict, statistics::Payoff::undecided);
  EXPECT_EQ(statistics::decide(estimate(1.04, 1.0201, 1.06)).verdict, statistics::Payoff::pays);
  EXPECT_EQ(statistics::decide(estimate(0.97, 0.96, 0.98)).verdict, statistics::Payoff::undecided);
}

TEST(Payoff, UnmeasuredNeverGetsOne) {
  for (const double broken : {nan, std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    EXPECT_EQ(statistics::decide(estimate(broken, 1.4, 1.6)).verdict, statistics::Payoff::not_measured);
  }
  EXPECT_EQ(statistics::decide(estimate(1.5, nan, 1.6)).verdict, statistics::Payoff::not_measured);
  EXPECT_EQ(statistics::decide(estimate(1.5, 1.4, nan)).verdict, statistics::Payoff::not_measured);
  EXPECT_EQ(statistics::decide(statistics::RatioEstimate{}).verdict, statistics::Payoff::not_measured);
  EXPECT_EQ(statistics::decide(statistics::estimate_ratio(std::vector{1.5, nan, 1.6, 1.4})).verdict,
            statistics::Payoff::not_measured);
  EXPECT_EQ(statistics::decide(statistics::estimate_ratio({})).verdict, statistics::Payoff::not_measured);
}

TEST(Payoff, FewerThanThreeBlocksAreUndecidedHoweverClear) {
  const statistics::Decision one = statistics::decide(statistics::estimate_ratio(std::vector{3.0}));
  EXPECT_EQ(one.verdict, statistics::Payoff::undecided);
  EXPECT_EQ(one.more_units, 2u);
  EXPECT_EQ(statistics::decide(statistics::estimate_ratio(std::vector{3.0, 3.0})).verdict,
            statistics::Payoff::undecided);
  EXPECT_EQ(statistics::decide(statistics::estimate_ratio(std::vector{3.0, 3.0, 3.0})).verdict,
            statistics::Payoff::pays);
}

// The number of further blocks is right if that many, at the same deviation, decide, and one fewer do not.
TEST(Payoff, MoreBlocksAreJustEnough) {
  const statistics::RatioEstimate now = statistics::estimate_ratio(std::vector{1.0, 1.05, 1.1, 1.02, 1.08});
  const statistics::Decision decision = statistics::decide(now);
  ASSERT_EQ(decision.verdict, statistics::Payoff::undecided);
  ASSERT_GT(decision.more_units, 0u);
  const auto with = [&](std::size_t n) {
    const double half = statistics::t_quantile(n) * now.log_deviation / std::sqrt(static_cast<double>(n));
    const double centre = now.ratio.centre;
    return statistics::decide(
               {{centre, centre * std::exp(-half), centre * std::exp(half), n}, now.log_deviation})
        .verdict;
  };
  EXPECT_EQ(with(5 + decision.more_units), statistics::Payoff::pays);
  EXPECT_EQ(with(5 + decision.more_units - 1), statistics::Payoff::undecided);
}

TEST(Payoff, NoNumberDecidesOnTheBorderItself) {
  const statistics::Decision decision = statistics::decide(estimate(1.02, 0.9, 1.15));
  EXPECT_EQ(decision.verdict, statistics::Payoff::undecided);
  EXPECT_EQ(decision.more_units, 0u);
}

TEST(Payoff, InWords) {
  EXPECT_EQ(statistics::phrase_of({statistics::Payoff::pays}), "pays");
  EXPECT_EQ(statistics::phrase_of({statistics::Payoff::does_not_pay}), "does not pay");
  EXPECT_EQ(statistics::phrase_of({statistics::Payoff::same}), "same within 2 %");
  EXPECT_EQ(statistics::phrase_of({statistics::Payoff::not_measured}), "not measured");
  EXPECT_EQ(statistics::phrase_of({statistics::Payoff::undecided, 12}), "undecided, 12 more repeats");
  EXPECT_EQ(word_of(statistics::Payoff::does_not_pay), "does_not_pay");
}

}  // namespace
}  // namespace breakeven
