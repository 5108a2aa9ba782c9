// SPDX-License-Identifier: Apache-2.0
// Where a scan of speed-ups crosses 1, and between which points it surely does; and the articles' rule.
#include <gtest/gtest.h>

#include <cmath>

#include "src/predict/flip.h"
#include "src/predict/static_rule.h"

namespace breakeven {
namespace {

std::vector<ScanPoint> scan(const std::vector<double>& speedups, double half_width) {
  std::vector<ScanPoint> points;
  double at = 16;
  for (const double speedup : speedups) {
    points.push_back({at, {speedup, speedup / (1 + half_width), speedup * (1 + half_width), 9}, "ddp"});
    at *= 2;
  }
  return points;
}

TEST(Flip, IsBetweenTheTwoPointsThatItSeparates) {
  const std::vector<Flip> flips = find_flips(scan({0.5, 0.8, 1.25, 2}, 0.1));
  ASSERT_EQ(flips.size(), 1u);
  EXPECT_TRUE(flips[0].begins);
  EXPECT_NEAR(flips[0].at, 32 * std::sqrt(2.0), 1e-9);  // 0.8 and 1 / 0.8
  EXPECT_EQ(flips[0].low, 32);
  EXPECT_EQ(flips[0].high, 64);
}

TEST(Flip, IsAsWideAsWhatIsNotSure) {
  const std::vector<Flip> flips = find_flips(scan({0.5, 0.95, 1.05, 2}, 0.1));
  ASSERT_EQ(flips.size(), 1u);
  EXPECT_EQ(flips[0].low, 16);
  EXPECT_EQ(flips[0].high, 128);
}

TEST(Flip, ThereCanBeTwoAndSomeAreSureOnNoSide) {
  const std::vector<Flip> flips = find_flips(scan({1.5, 0.98, 0.5, 1.02}, 0.1));
  ASSERT_EQ(flips.size(), 2u);
  EXPECT_FALSE(flips[0].begins);
  EXPECT_EQ(flips[0].low, 16);
  EXPECT_EQ(flips[0].high, 64);
  EXPECT_TRUE(flips[1].begins);
  EXPECT_EQ(flips[1].low, 64);
  EXPECT_TRUE(std::isnan(flips[1].high));
}

TEST(Flip, NoneOnOneSide) {
  EXPECT_TRUE(find_flips(scan({0.5, 0.6, 0.7}, 0.1)).empty());
  EXPECT_TRUE(find_flips(scan({1.5, 1.6, 1.7}, 0.1)).empty());
  EXPECT_TRUE(find_flips({}).empty());
}

TEST(StaticRule, IsTheArticles) {
  EXPECT_EQ(static_rule(999'999, 100'000), RuleAnswer::single_gpu);
  EXPECT_EQ(static_rule(1'000'000, 127), RuleAnswer::single_gpu);
  EXPECT_EQ(static_rule(4'999'999, 128), RuleAnswer::measure);
  EXPECT_EQ(static_rule(5'000'000, 8), RuleAnswer::measure);
  EXPECT_EQ(static_rule(10'000'000, 63), RuleAnswer::single_gpu);
  EXPECT_EQ(static_rule(10'000'000, 64), RuleAnswer::multi_gpu);
}

}  // namespace
}  // namespace breakeven
