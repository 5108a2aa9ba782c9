// SPDX-License-Identifier: Apache-2.0
// Each verdict, its borders, and that nothing unmeasured ever gets one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "src/statistics/payoff.h"
#include "src/statistics/sample_size.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

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

// With as many further launches as are named, 80 of 100 measurements decide; with half of them, fewer do.
TEST(Payoff, AsManyMoreUnitsAsNamedDecideInEightyOfAHundred) {
  constexpr double deviation = 0.03;
  for (const double truth : {0.9, 1.0, 1.01, 1.06}) {
    const statistics::Decision decision =
        statistics::decide(estimate(truth, truth * 0.9, truth * 1.1, 3, deviation));
    ASSERT_EQ(decision.verdict, statistics::Payoff::undecided);
    const auto share_with = [&](std::size_t units) {
      return share_of(1000, [&](std::uint32_t i) {
        std::vector<double> ratios(units);
        for (std::uint32_t unit = 0; unit < units; ++unit)
          ratios[unit] = truth * std::exp(deviation * normal(i, 0, unit));
        const auto verdict = statistics::decide(statistics::estimate_ratio(ratios)).verdict;
        return verdict != statistics::Payoff::undecided;
      });
    };
    const std::size_t units = 3 + decision.more_units;
    EXPECT_GE(share_with(units), statistics::power - 0.03) << truth << ' ' << units;
    EXPECT_LE(share_with(3 + decision.more_units / 2), 0.72) << truth << ' ' << units;
  }
}

// Launches 3 to 9 are added, with a look after each, until the interval no longer holds the truth: how often
// that comes, where one look is wrong in 5 of 100.
TEST(Payoff, LaunchesAddedUntilAVerdictAppearsMakeErrorsMoreFrequent) {
  const double share = share_of(10000, [](std::uint32_t i) {
    std::vector<double> ratios;
    for (std::uint32_t launch = 0; launch < 9; ++launch) {
      ratios.push_back(std::exp(0.02 * normal(i, 0, launch)));
      if (ratios.size() < statistics::fewest_for_interval) continue;
      const statistics::Interval ratio = statistics::estimate_ratio(ratios).ratio;
      if (!(ratio.low <= 1 && 1 <= ratio.high)) return true;
    }
    return false;
  });
  EXPECT_NEAR(share, 0.16, 0.015);
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
