// SPDX-License-Identifier: Apache-2.0
// When a series of losses is low enough.
#include <gtest/gtest.h>

#include <vector>

#include "src/measure/quality_watch.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

TEST(StepsToLoss, IsTheFirstStepWhoseMeanIsLowEnough) {
  const std::vector<double> losses{8, 1, 6, 4, 2, 0, 1};
  EXPECT_EQ(measure::steps_to_loss(losses, 1, 1.0, 1), 2u);  // a single low loss, where nothing is averaged
  EXPECT_EQ(measure::steps_to_loss(losses, 2, 3.0, 1), 5u);  // (4 + 2) / 2
  EXPECT_EQ(measure::steps_to_loss(losses, 3, 2.0, 1), 6u);
  EXPECT_EQ(measure::steps_to_loss(losses, 7, 4.0, 1), 7u);
}

TEST(StepsToLoss, NeedsAsManyStepsAsItAverages) {
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{0, 0, 0}, 4, 1.0, 1), std::nullopt);
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{0, 0, 0, 0}, 4, 1.0, 1), 4u);
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{}, 1, 1.0, 1), std::nullopt);
}

TEST(StepsToLoss, MayNeverBeReached) {
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{3, 2, 1.5}, 1, 1.0, 1), std::nullopt);
}

TEST(StepsToLoss, ContinuesWhereItStopped) {
  const std::vector<double> losses{4, 4, 4, 4, 0, 0};
  EXPECT_EQ(measure::steps_to_loss(std::span(losses).first(4), 2, 1.0, 1), std::nullopt);
  EXPECT_EQ(measure::steps_to_loss(losses, 2, 1.0, 5), 6u);  // the mean reaches back over the last look
}

TEST(StepsToLoss, NaNIsNeverLowEnough) {
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{nan, nan, nan}, 2, 1.0, 1), std::nullopt);
  EXPECT_EQ(measure::steps_to_loss(std::vector<double>{0, nan, 0, 0}, 2, 1.0, 1), 4u);
}

}  // namespace
}  // namespace breakeven
