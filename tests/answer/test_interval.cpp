// SPDX-License-Identifier: Apache-2.0
// Student-t intervals: quantiles from the tables, intervals by hand, and how often they hold what they
// promise.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "src/statistics/paired_ratio.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

TEST(Interval, QuantilesOfTheTables) {
  EXPECT_NEAR(statistics::t_quantile(2), 12.7062, 1e-4);
  EXPECT_NEAR(statistics::t_quantile(3), 4.3027, 1e-4);
  EXPECT_NEAR(statistics::t_quantile(10), 2.2622, 1e-4);
  EXPECT_NEAR(statistics::t_quantile(50), 2.0096, 1e-4);
  EXPECT_NEAR(statistics::t_quantile(1000001), 1.95996, 1e-5);
}

TEST(Interval, OfAMean) {
  const statistics::Interval interval = statistics::mean_interval(std::vector{1.0, 2.0, 3.0, 4.0, 5.0});
  const double half = 2.7764451 * std::sqrt(2.5) / std::sqrt(5.0);
  EXPECT_DOUBLE_EQ(interval.centre, 3.0);
  EXPECT_NEAR(interval.low, 3 - half, 1e-6);
  EXPECT_NEAR(interval.high, 3 + half, 1e-6);
  EXPECT_EQ(interval.n, 5u);
}

TEST(Interval, OfATimeHasNoBoundsWhereItNearlyReachesZero) {
  const statistics::Interval sound = statistics::positive({2, 1, 3, 4});
  EXPECT_EQ(sound.low, 1);
  EXPECT_EQ(sound.high, 3);
  for (const double half : {1.8, 1.9, 2.0, 10.0}) {
    const statistics::Interval wide = statistics::positive({2, 2 - half, 2 + half, 4});
    EXPECT_FALSE(wide.has_bounds()) << half;
    EXPECT_EQ(wide.centre, 2);
    EXPECT_EQ(wide.n, 4u);
  }
  EXPECT_FALSE(statistics::positive({2, std::nan(""), std::nan(""), 2}).has_bounds());
}

TEST(Interval, OfSeveralLaunchesIsBetweenThem) {
  const std::vector values{1.0, 1.2, 2.0, 2.2, 3.0, 3.2};
  const std::vector<std::uint32_t> launches{0, 0, 1, 1, 2, 2};
  const statistics::Interval between = statistics::mean_interval(values, launches);
  const statistics::Interval by_hand = statistics::mean_interval(std::vector{1.1, 2.1, 3.1});
  EXPECT_EQ(between.n, 3u);
  EXPECT_DOUBLE_EQ(between.low, by_hand.low);
  EXPECT_EQ(statistics::mean_interval(values, std::vector<std::uint32_t>(6, 4)).n, 6u);
}

TEST(Interval, SaysWhatItCovers) {
  using enum statistics::SamplingUnit;
  EXPECT_EQ(statistics::scope_of(none, 0), "");
  EXPECT_EQ(statistics::scope_of(run, 5), "within one launch");
  EXPECT_EQ(statistics::scope_of(batch, 20), "within one launch, one run each");
  EXPECT_EQ(statistics::scope_of(launch, 2), "none from 2 launches, a third launch is missing");
  EXPECT_EQ(statistics::scope_of(launch, 3), "between 3 launches");
}

TEST(Interval, FewerThanThreeValuesHaveNone) {
  for (const auto& values : {std::vector<double>{}, std::vector{1.0}, std::vector{1.0, 2.0}}) {
    EXPECT_FALSE(statistics::mean_interval(values).has_bounds());
    EXPECT_FALSE(statistics::estimate_ratio(values).ratio.has_bounds());
  }
  EXPECT_DOUBLE_EQ(statistics::mean_interval(std::vector{1.0, 2.0}).centre, 1.5);
}

// The k-th smallest size, k = ceil(0.95 (n + 1)); with fewer than 19, Student's t.
TEST(Interval, OfFurtherErrors) {
  std::vector<double> errors;
  for (int i = 1; i <= 39; ++i) errors.push_back(i % 2 == 0 ? i : -i);
  EXPECT_EQ(statistics::error_half_width(errors), 38);
  errors.resize(19);
  EXPECT_EQ(statistics::error_half_width(errors), 19);
  errors.resize(18);
  EXPECT_GT(statistics::error_half_width(errors), 18);
  EXPECT_TRUE(std::isnan(statistics::error_half_width(std::vector{1.0, 2.0})));
}

// Clopper and Pearson: 147 of 149 say 95.2 to 99.8 %; all of 10 at least 69.2 %.
TEST(Interval, OfAProbability) {
  const statistics::Interval share = statistics::binomial_interval(147, 149);
  EXPECT_NEAR(share.centre, 147.0 / 149, 1e-12);
  EXPECT_NEAR(share.low, 0.9524, 5e-4);
  EXPECT_NEAR(share.high, 0.9984, 5e-4);
  EXPECT_NEAR(statistics::binomial_interval(10, 10).low, 0.6915, 1e-4);
  EXPECT_EQ(statistics::binomial_interval(10, 10).high, 1);
  EXPECT_TRUE(std::isnan(statistics::binomial_interval(0, 0).centre));
}

TEST(Interval, NaNHasNone) {
  const statistics::Interval interval = statistics::mean_interval(std::vector{1.0, nan, 2.0, 3.0});
  EXPECT_TRUE(std::isnan(interval.centre));
  EXPECT_FALSE(interval.has_bounds());
  EXPECT_FALSE(statistics::estimate_ratio(std::vector{1.0, 0.0, 2.0, 3.0}).ratio.has_bounds());  // log 0
  EXPECT_FALSE(statistics::estimate_ratio(std::vector{1.0, -1.0, 2.0, 3.0}).ratio.has_bounds());
}

TEST(Interval, ARatioAndItsInverseGiveTheSameAnswer) {
  const std::vector ratios{0.5, 0.8, 1.25, 0.9};
  std::vector<double> inverses;
  for (const double ratio : ratios) inverses.push_back(1 / ratio);
  const statistics::Interval one = statistics::estimate_ratio(ratios).ratio;
  const statistics::Interval other = statistics::estimate_ratio(inverses).ratio;
  EXPECT_NEAR(one.centre, std::pow(0.5 * 0.8 * 1.25 * 0.9, 0.25), 1e-12);
  EXPECT_NEAR(one.centre, 1 / other.centre, 1e-12);
  EXPECT_NEAR(one.low, 1 / other.high, 1e-12);
  EXPECT_NEAR(one.high, 1 / other.low, 1e-12);
}

// What disturbs a block disturbs base and case alike, and by far the most; each has noise of its own.
bool covers(std::uint32_t replication, std::uint32_t blocks, double true_ratio) {
  std::vector<double> ratios;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const double shared = std::exp(0.3 * normal(replication, 0, block));
    const double base_seconds = shared * std::exp(0.05 * normal(replication, 1, block));
    const double case_seconds = shared / true_ratio * std::exp(0.08 * normal(replication, 2, block));
    ratios.push_back(base_seconds / case_seconds);
  }
  return holds(statistics::estimate_ratio(ratios).ratio, true_ratio);
}

TEST(Interval, PairedRatioCoversTheTruthAsOftenAsPromised) {
  constexpr std::uint32_t replications = 2000;
  for (const std::uint32_t blocks : {3u, 5u, 50u}) {
    int covered = 0;
    for (std::uint32_t i = 0; i < replications; ++i) covered += covers(i, blocks, 0.74) ? 1 : 0;
    const double share = static_cast<double>(covered) / replications;
    EXPECT_GE(share, 0.93) << blocks << " blocks";
    EXPECT_LE(share, 0.97) << blocks << " blocks";
  }
}

// The known quantiles hold none that could not be computed.
TEST(Interval, TheQuantileOfOneUnitThrowsEachTime) {
  EXPECT_THROW(statistics::t_quantile(1), std::domain_error);
  EXPECT_THROW(statistics::t_quantile(1), std::domain_error);
}

}  // namespace
}  // namespace breakeven
