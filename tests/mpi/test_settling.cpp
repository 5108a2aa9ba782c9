// SPDX-License-Identifier: Apache-2.0
// Training before the measured steps: when it ends, what it leaves as it was, and for which steps the
// recorded ones stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/measure/run_case.h"
#include "src/measure/settling.h"
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

// Measured in 0.5 s; `drift` is from its first step to its last.
void fill(RunRecord& record, double drift) {
  for (std::uint32_t step = 0; step < record.steps; ++step)
    record.at(step, Phase::step) = 1e-3 * (1 + drift * step / (record.steps - 1));
}

struct Repeated {
  RunRecord record{20};
  int times = 0;
};

// The runs drift by `drift`, but not from the `steady_from`-th on. A run takes so long as nothing does.
Repeated measured(SettleEnd end, double most_seconds, double drift, int steady_from) {
  Repeated made;
  made.record.settle_seconds = end == SettleEnd::none ? 0 : 1;
  made.record.settle_steps = 100;
  made.record.settle_end = static_cast<double>(end);
  const Case what{.gpus = test_session().size(), .strategy = "ddp"};
  measure::measure_until_steady(
      what, test_session().world(), {.most_seconds = most_seconds, .tolerance = 0.005},
      [&] { fill(made.record, ++made.times < steady_from ? drift : 0); }, made.record);
  return made;
}

TEST(MeasuredAgain, WhatDriftsUntilItIsSteady) {
  const Repeated made = measured(SettleEnd::steady, 60, 0.1, 3);
  EXPECT_EQ(made.times, 3);
  EXPECT_EQ(made.record.settle_end, static_cast<double>(SettleEnd::steady));
  EXPECT_EQ(made.record.settle_steps, 140);  // what was measured in vain counts as settling
  EXPECT_GT(made.record.settle_seconds, 1);
}

TEST(MeasuredAgain, IsKeptAsDriftingWhenTheTimeIsUp) {
  const Repeated made = measured(SettleEnd::steady, 1, 0.1, 1000);
  EXPECT_EQ(made.times, 1);
  EXPECT_EQ(made.record.settle_end, static_cast<double>(SettleEnd::time_limit));
  EXPECT_EQ(made.record.settle_seconds, 1);
}

TEST(MeasuredAgain, IsNoBurstNorWhatHadNotSettledNorWhatIsSteady) {
  EXPECT_EQ(measured(SettleEnd::none, 60, 0.1, 1000).times, 1);
  EXPECT_EQ(measured(SettleEnd::time_limit, 60, 0.1, 1000).times, 1);
  EXPECT_EQ(measured(SettleEnd::steady, 60, 0.015, 1000).times, 1);
  EXPECT_EQ(measured(SettleEnd::steady, 60, not_measured, 2).times, 2);  // no time is not a steady one
}

}  // namespace
}  // namespace breakeven
