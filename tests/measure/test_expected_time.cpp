// SPDX-License-Identifier: Apache-2.0
// What a launch will take, from made-up tried cases.
#include "src/command/measure/expected_time.h"

#include <gtest/gtest.h>

#include <vector>

namespace breakeven {
namespace {

using command::TriedCase;

Case with_batch(std::uint32_t batch, Timing timing = Timing::steps) {
  Case what;
  what.model = "64-32-8";
  what.strategy = "single";
  what.gpus = 1;
  what.batch = batch;
  what.timing = timing;
  return what;
}

measure::RunOptions burst_options() {
  measure::RunOptions options;
  options.warmup = 10;
  options.steps = 90;
  options.settle = {};
  return options;
}

const std::vector<TriedCase> tried{{with_batch(16), 0.5, 0.01}, {with_batch(64), 0.5, 0.02}};

TEST(ExpectedTime, IsSetUpAndAllStepsOfEachRun) {
  const auto expected =
      command::expected_time({with_batch(16), with_batch(64)}, {2, 3}, burst_options(), tried);
  const double seconds = 2 * (0.5 + 100 * 0.01) + 3 * (0.5 + 100 * 0.02);
  EXPECT_DOUBLE_EQ(expected.least_seconds, seconds);
  EXPECT_DOUBLE_EQ(expected.most_seconds, seconds);
}

TEST(ExpectedTime, TakesTheOtherTimingOfTheSameCase) {
  const auto expected = command::expected_time({with_batch(16, Timing::phases)}, {1}, burst_options(), tried);
  EXPECT_DOUBLE_EQ(expected.most_seconds, 0.5 + 100 * 0.01);
}

TEST(ExpectedTime, GrowsWithTheWorkOfWhatWasNotTried) {
  const auto expected = command::expected_time({with_batch(128)}, {1}, burst_options(), tried);
  EXPECT_DOUBLE_EQ(expected.most_seconds, 0.5 + 100 * 0.02 * 2);
}

TEST(ExpectedTime, RangesFromTwoWindowsToTheLimitOfSettling) {
  measure::RunOptions options = burst_options();
  options.settle.most_seconds = 5;
  options.seconds = 3;  // longer than 90 steps take
  const auto expected = command::expected_time({with_batch(16)}, {1}, options, tried);
  EXPECT_DOUBLE_EQ(expected.least_seconds, 0.5 + 0.1 + 0.4 + 3);
  EXPECT_DOUBLE_EQ(expected.most_seconds, 0.5 + 0.1 + 5 + 3);
}

TEST(ExpectedTime, IsZeroWhereNothingIsLeft) {
  EXPECT_EQ(command::expected_time({with_batch(16)}, {0}, burst_options(), tried).most_seconds, 0);
}

TEST(ExpectedTime, CountsTheCasesInBothTimings) {
  EXPECT_EQ(command::count_tried({with_batch(16), with_batch(16, Timing::phases), with_batch(128)}, tried),
            2u);
}

TEST(ExpectedTime, SaysWhatItRestsOn) {
  EXPECT_EQ(command::in_words({60, 60}, 2, 5),
            "expected time: 1.00 min after measuring the machine, from a few steps of 2 of 5 cases");
  EXPECT_EQ(
      command::in_words({60, 90}, 2, 5),
      "expected time: 1.00 min to 1.50 min after measuring the machine, from a few steps of 2 of 5 cases");
}

}  // namespace
}  // namespace breakeven
