// SPDX-License-Identifier: Apache-2.0
// The articles' rule, border by border.
#include "src/predict/score.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

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
