// SPDX-License-Identifier: Apache-2.0
// Modified Z-scores against a published example and at their edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "src/statistics/outliers.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

std::size_t count_outliers(std::span<const double> values) {
  const std::vector<double> scores = statistics::modified_z_scores(values);
  return static_cast<std::size_t>(std::ranges::count_if(scores, statistics::is_outlier));
}

// Median 2, MAD 1: 0.6745 * (9 - 2) / 1.
TEST(Outliers, ScoreOfTheFormula) {
  const auto scores = statistics::modified_z_scores(std::vector{1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0});
  EXPECT_NEAR(scores[6], 4.7215, 1e-12);
  EXPECT_NEAR(scores[0], -0.6745, 1e-12);
  EXPECT_NEAR(scores[2], 0.0, 1e-12);
}

TEST(Outliers, AreCountedOnBothSidesBeyondTheLimit) {
  EXPECT_EQ(count_outliers(std::vector{1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0}), 1u);
  EXPECT_EQ(count_outliers(std::vector{-50.0, 1.0, 2.0, 3.0, 4.0, 5.0, 60.0}), 2u);
  EXPECT_EQ(count_outliers(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}), 0u);
}

// More than half are equal, so that MAD is 0: the mean absolute deviation is 9 / 10.
TEST(Outliers, MeanDeviationStandsInWhereMadIsZero) {
  const std::vector values{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0};
  const auto scores = statistics::modified_z_scores(values);
  EXPECT_NEAR(scores[9], 9 / (1.253314 * 0.9), 1e-9);
  EXPECT_EQ(scores[0], 0.0);
  EXPECT_EQ(count_outliers(values), 1u);
}

TEST(Outliers, EqualValuesAndSingleOnesHaveNone) {
  EXPECT_EQ(count_outliers(std::vector{4.0, 4.0, 4.0}), 0u);
  EXPECT_EQ(count_outliers(std::vector{4.0}), 0u);
  EXPECT_EQ(count_outliers(std::vector<double>{}), 0u);
}

TEST(Outliers, NaNIsNeverAllRight) {
  const std::vector values{1.0, nan, 1.0};
  for (const double score : statistics::modified_z_scores(values)) EXPECT_TRUE(std::isnan(score));
  EXPECT_EQ(count_outliers(values), 3u);
  EXPECT_TRUE(std::isnan(statistics::slow_step_limit(values)));
}

// The share of normal values that are flagged, which is the reason for `fewest_for_outliers`.
TEST(Outliers, FewNormalValuesHaveManyFalseOnes) {
  const auto false_share = [](std::uint32_t count) {
    constexpr std::uint32_t samples = 20000;
    std::size_t flagged = 0;
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      std::vector<double> values;
      for (std::uint32_t i = 0; i < count; ++i) values.push_back(normal(sample, count, i));
      flagged += count_outliers(values);
    }
    return static_cast<double>(flagged) / (samples * count);
  };
  EXPECT_NEAR(false_share(5), 0.053, 0.002);
  EXPECT_NEAR(false_share(statistics::fewest_for_outliers), 0.017, 0.001);
  EXPECT_NEAR(false_share(20), 0.007, 0.001);
}

TEST(Outliers, SlowStepsAreTenDeviationsUp) {
  EXPECT_NEAR(statistics::slow_step_limit(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}), 3 + 10 / 0.6745, 1e-9);
  EXPECT_DOUBLE_EQ(statistics::slow_step_limit(std::vector{2.0, 2.0, 2.0}), 2.0);
}

}  // namespace
}  // namespace breakeven
