// SPDX-License-Identifier: Apache-2.0
// Training before the measured steps: when it ends, what it leaves as it was, and for which steps the
// recorded ones stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/measure/run_case.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

constexpr double any_difference = 1e9;

class Settling : public TrainingTest {
 protected:
  RunRecord settled(double most_seconds, double tolerance) {
    options.settle = {.most_seconds = most_seconds, .tolerance = tolerance};
    return measure::run_case(what, bench);
  }
};

double sum_of(const RunRecord& record, Phase phase) {
  double sum = 0;
  for (std::uint32_t step = 0; step < made_steps(record); ++step) sum += record.at(step, phase);
  return sum;
}

TEST_F(Settling, EndsWhenTwoWindowsAgree) {
  const RunRecord record = settled(60, any_difference);
  EXPECT_EQ(record.settle_end, static_cast<double>(SettleEnd::steady));
  EXPECT_GE(record.settle_seconds, 0.4);  // two windows
  EXPECT_LT(record.settle_seconds, 30);
  EXPECT_GT(record.settle_steps, 2);
}

TEST_F(Settling, EndsWhenItsTimeIsUp) {
  const RunRecord record = settled(0.7, 0);
  EXPECT_EQ(record.settle_end, static_cast<double>(SettleEnd::time_limit));
  EXPECT_GE(record.settle_seconds, 0.7);
}

TEST_F(Settling, OfNoSecondsIsABurst) {
  const RunRecord record = settled(0, 0);
  EXPECT_EQ(record.settle_end, static_cast<double>(SettleEnd::none));
  EXPECT_EQ(record.settle_seconds, 0);
  EXPECT_EQ(record.steps_apart, 1);
}

// Whatever the length of settling, which differs from run to run.
TEST_F(Settling, LeavesTheLossesOfTheFirstStepsToTheBit) {
  for (const Timing timing : {Timing::steps, Timing::phases}) {
    what.timing = timing;
    const RunRecord burst = settled(0, 0);
    const RunRecord record = settled(60, any_difference);
    EXPECT_EQ(record.loss, burst.loss);
    EXPECT_TRUE(std::isfinite(record.last_loss));
    EXPECT_NE(record.last_loss, burst.last_loss);
  }
}

TEST_F(Settling, ARecordedStepIsTheMeanOfThoseThatItStandsFor) {
  options.seconds = 0.3;
  const RunRecord record = settled(60, any_difference);
  ASSERT_GT(record.steps_apart, 1);
  EXPECT_EQ(std::fmod(record.steps_apart, record.steps_a_launch), 0);
  EXPECT_NEAR(sum_of(record, Phase::step) * record.steps_apart, record.steps_device_seconds,
              1e-3 * record.steps_device_seconds);
  EXPECT_GT(record.steps_device_seconds, 0.1);
  EXPECT_TRUE(std::ranges::is_sorted(record.start_seconds));
}

TEST_F(Settling, WithPhasesARecordedStepIsOneOfThem) {
  what.timing = Timing::phases;
  options.seconds = 0.3;
  const RunRecord record = settled(60, any_difference);
  ASSERT_GT(record.steps_apart, 1);
  for (std::uint32_t step = 0; step < made_steps(record); ++step) {
    double parts = 0;
    for (const PhaseInfo& info : phases)
      if (info.phase != Phase::step) parts += record.at(step, info.phase);
    EXPECT_NEAR(parts, record.at(step, Phase::step), 1e-6) << step;
  }
  EXPECT_LT(sum_of(record, Phase::step), 0.5 * record.steps_device_seconds);  // others stand between them
}

TEST_F(Settling, AllRanksMakeTheSameSteps) {
  const RunRecord record = settled(0.5, 0.01);
  double mine[] = {record.settle_steps, record.settle_end, record.steps_apart};
  double highest[3];
  MPI_Allreduce(mine, highest, 3, MPI_DOUBLE, MPI_MAX, test_session().world());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(mine[i], highest[i]) << i;
}

}  // namespace
}  // namespace breakeven
