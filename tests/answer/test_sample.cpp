// SPDX-License-Identifier: Apache-2.0
// Means, quantiles and deviations against answers worked out by hand, R and NumPy.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/sample.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

TEST(Sample, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(statistics::median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_DOUBLE_EQ(statistics::median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_DOUBLE_EQ(statistics::median(std::vector{7.0}), 7.0);
  EXPECT_DOUBLE_EQ(statistics::median(std::vector{2.0, 2.0, 2.0, 9.0}), 2.0);
}

TEST(Sample, QuantilesAreThoseOfNumPy) {
  const std::vector values{15.0, 20.0, 35.0, 40.0, 50.0};
  EXPECT_DOUBLE_EQ(statistics::quantile(values, 0.0), 15.0);
  EXPECT_DOUBLE_EQ(statistics::quantile(values, 0.40), 29.0);  // numpy.quantile([15, 20, 35, 40, 50], 0.4)
  EXPECT_DOUBLE_EQ(statistics::quantile(values, 0.95), 48.0);
  EXPECT_DOUBLE_EQ(statistics::quantile(values, 1.0), 50.0);
}

TEST(Sample, StandardDeviationDividesByOneLess) {
  EXPECT_DOUBLE_EQ(statistics::standard_deviation(std::vector{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}),
                   std::sqrt(32.0 / 7.0));
  EXPECT_TRUE(std::isnan(statistics::standard_deviation(std::vector{2.0})));
}

TEST(Sample, MedianAbsoluteDeviation) {
  EXPECT_DOUBLE_EQ(statistics::median_absolute_deviation(std::vector{1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0}),
                   1.0);
}

TEST(Sample, NothingAndNaNGiveNaN) {
  for (const auto& values : {std::vector<double>{}, std::vector{1.0, nan, 3.0}, std::vector{nan}}) {
    EXPECT_TRUE(std::isnan(statistics::sum(values)));
    EXPECT_TRUE(std::isnan(statistics::mean(values)));
    EXPECT_TRUE(std::isnan(statistics::highest(values)));
    EXPECT_TRUE(std::isnan(statistics::median(values)));
    EXPECT_TRUE(std::isnan(statistics::quantile(values, 0.95)));
    EXPECT_TRUE(std::isnan(statistics::median_absolute_deviation(values)));
    EXPECT_TRUE(std::isnan(statistics::standard_deviation(values)));
  }
}

TEST(Sample, AShareOutsideZeroToOneIsNoQuantile) {
  EXPECT_TRUE(std::isnan(statistics::quantile(std::vector{1.0, 2.0}, 1.5)));
  EXPECT_TRUE(std::isnan(statistics::quantile(std::vector{1.0, 2.0}, nan)));
}

}  // namespace
}  // namespace breakeven
