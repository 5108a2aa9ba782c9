// SPDX-License-Identifier: Apache-2.0
// The comparison that every other test rests on must itself be able to fail.
#include "tests/support/near.h"

#include <string>

namespace breakeven {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Near, PassesWithinTheToleranceAndAtItsBorder) {
  EXPECT_TRUE(near(1.0, 1.0, 0.0));
  EXPECT_TRUE(near(1.5, 1.0, 0.5));
  EXPECT_FALSE(near(1.5, 1.0, 0.49));
  EXPECT_FALSE(near(-1.0, 1.0, 1.0));
}

TEST(Near, FailsOnNanWhereverItStands) {
  EXPECT_FALSE(near(nan, 1.0, 1.0));
  EXPECT_FALSE(near(1.0, nan, 1.0));
  EXPECT_FALSE(near(nan, nan, 1.0));
  EXPECT_FALSE(near(1.0, 1.0, nan));
  EXPECT_FALSE(near(infinity, infinity, infinity));
}

TEST(Near, ComparesRangesElementByElement) {
  const std::vector<float> actual{1, 2, 3};
  EXPECT_TRUE(near(actual, std::vector<double>{1, 2, 3.5}, 0.5));
  EXPECT_FALSE(near(actual, std::vector<double>{1, 2, 3.5}, 0.4));
  EXPECT_TRUE(near(actual, std::vector<double>{1, 2.5, 3}, std::vector<double>{0, 0.5, 0}));
  EXPECT_FALSE(near(actual, std::vector<double>{1, 2.5, 3}, std::vector<double>{0.5, 0, 0.5}));
}

TEST(Near, FailsOnOneNanAmongMany) {
  std::vector<float> actual(100, 1.0f);
  const std::vector<double> expected(100, 1.0);
  EXPECT_TRUE(near(actual, expected, 0.0));
  actual[57] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(near(actual, expected, 1e9));
}

TEST(Near, NamesTheWorstElement) {
  const std::vector<double> expected{0, 0, 0, 0};
  const std::string by_size = near(std::vector<double>{1, 3, 2, 0}, expected, 0.5).message();
  EXPECT_NE(by_size.find("3 of 4 differ, worst at [1]"), std::string::npos) << by_size;
  const std::string by_nan = near(std::vector<double>{1, 3, nan, 0}, expected, 0.5).message();
  EXPECT_NE(by_nan.find("worst at [2]"), std::string::npos) << by_nan;
}

TEST(Near, RefusesUnequalSizesAndNothing) {
  EXPECT_FALSE(near(std::vector<double>{1, 2}, std::vector<double>{1}, 9.0));
  EXPECT_FALSE(near(std::vector<double>{}, std::vector<double>{}, 9.0));
}

TEST(FrobeniusError, IsRelativeToTheExpectedNorm) {
  const std::vector<double> expected{3, 4};
  EXPECT_TRUE(near(frobenius_error(std::vector<double>{3, 4.5}, expected), 0.1, 1e-15));
  EXPECT_EQ(frobenius_error(expected, expected), 0.0);
}

TEST(FrobeniusError, IsNanWhereAnElementIsOrNothingCanBeCompared) {
  const std::vector<double> expected{3, 4};
  EXPECT_TRUE(std::isnan(frobenius_error(std::vector<double>{3, nan}, expected)));
  EXPECT_TRUE(std::isnan(frobenius_error(std::vector<double>{3}, expected)));
  EXPECT_TRUE(std::isnan(frobenius_error(std::vector<double>{}, std::vector<double>{})));
}

}  // namespace
}  // namespace breakeven
