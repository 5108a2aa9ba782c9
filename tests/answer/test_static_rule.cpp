// SPDX-License-Identifier: Apache-2.0
// The articles' rule, border by border.
#include "src/predict/selectors.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

TEST(StaticRule, IsTheArticles) {
  EXPECT_EQ(predict::static_rule(999'999, 100'000), predict::RuleAnswer::single_gpu);
  EXPECT_EQ(predict::static_rule(1'000'000, 127), predict::RuleAnswer::single_gpu);
  EXPECT_EQ(predict::static_rule(4'999'999, 128), predict::RuleAnswer::measure);
  EXPECT_EQ(predict::static_rule(5'000'000, 8), predict::RuleAnswer::measure);
  EXPECT_EQ(predict::static_rule(10'000'000, 63), predict::RuleAnswer::single_gpu);
  EXPECT_EQ(predict::static_rule(10'000'000, 64), predict::RuleAnswer::multi_gpu);
}

}  // namespace
}  // namespace breakeven
