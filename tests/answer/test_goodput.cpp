// SPDX-License-Identifier: Apache-2.0
// Simulated jobs against closed forms: Daly's where ranks are even, the exact highest of many where none
// fails.
#include "src/predict/goodput.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr double hour = 3600;

predict::JobPlan plan_with(double mtbf_seconds, double checkpoint_seconds, double restart_seconds) {
  predict::JobPlan plan{.work_seconds = 400 * hour,
                        .step_seconds = 1e-3,
                        .mtbf_seconds = mtbf_seconds,
                        .checkpoint_seconds = checkpoint_seconds,
                        .restart_seconds = restart_seconds};
  plan.interval_seconds = predict::best_interval(plan);
  return plan;
}

TEST(Goodput, OfEvenRanksIsDalys) {
  for (const predict::JobPlan& plan :
       {plan_with(2 * hour, 60, 300), plan_with(12 * hour, 30, 120), plan_with(1 * hour, 300, 900)}) {
    const predict::Goodput found = predict::simulate_jobs(plan, predict::StepSpread({}), 300);
    const double expected = plan.work_seconds / predict::expected_seconds(plan);
    EXPECT_NEAR(found.mean / expected, 1, 0.01) << plan.mtbf_seconds;
    EXPECT_LT(found.low, found.mean);
    EXPECT_GT(found.high, found.mean);
    const double seconds = plan.work_seconds / found.mean;
    EXPECT_NEAR(found.failures / (seconds / plan.mtbf_seconds), 1, 0.03);
  }
}

TEST(Goodput, WithoutFailuresIsThatOfTheSlowestRank) {
  std::vector<double> relative;
  for (std::uint32_t place = 0; place < 500; ++place) relative.push_back(std::exp(0.1 * normal(0, 0, place)));
  const predict::StepSpread spread(relative);
  for (const double ranks : {1.0, 8.0, 64.0}) {
    predict::JobPlan plan = plan_with(1e12, 1e-3, 1);
    plan.interval_seconds = hour;
    plan.ranks = ranks;
    const predict::Goodput found = predict::simulate_jobs(plan, spread, 20);
    EXPECT_NEAR(found.mean / (spread.expected_highest(1) / spread.expected_highest(ranks)), 1, 3e-3) << ranks;
    EXPECT_EQ(found.failures, 0);
  }
}

// Of 1, 2 and 3 the highest of two draws is 1 once, 2 three times and 3 five times of nine.
TEST(StepSpread, TheHighestIsExact) {
  const predict::StepSpread spread({3, 1, 2});
  EXPECT_NEAR(spread.expected_highest(1), 2, 1e-12);
  EXPECT_NEAR(spread.expected_highest(2), (1 + 3 * 2 + 5 * 3) / 9.0, 1e-12);
  EXPECT_NEAR(spread.expected_highest(1e6), 3, 1e-9);
  EXPECT_EQ(spread.highest_by(0.1, 1), 1);
  EXPECT_EQ(spread.highest_by(0.999, 1), 3);
  EXPECT_EQ(spread.highest_by(0.5, 2), 3) << "0.5 ^ (1 / 2) is in the last third";
  EXPECT_EQ(predict::StepSpread({}).expected_highest(64), 1);
}

// J. Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9), 1974.
double young_interval(double checkpoint_seconds, double mtbf_seconds) {
  return std::sqrt(2 * checkpoint_seconds * mtbf_seconds);
}

// Daly 2006, equation 37.
double daly_interval(double checkpoint_seconds, double mtbf_seconds) {
  const double part = checkpoint_seconds / (2 * mtbf_seconds);
  return young_interval(checkpoint_seconds, mtbf_seconds) * (1 + std::sqrt(part) / 3 + part / 9) -
         checkpoint_seconds;
}

// Where checkpoints are cheap, the search finds Daly's and Young's intervals.
TEST(Goodput, TheBestIntervalIsTheClosedForms) {
  for (const double checkpoint : {5.0, 60.0}) {
    const predict::JobPlan plan = plan_with(24 * hour, checkpoint, 300);
    EXPECT_NEAR(plan.interval_seconds / daly_interval(checkpoint, 24 * hour), 1, 0.01);
    EXPECT_NEAR(plan.interval_seconds / young_interval(checkpoint, 24 * hour), 1, 0.04);
    for (const double factor : {0.7, 1.4}) {
      predict::JobPlan other = plan;
      other.interval_seconds *= factor;
      EXPECT_GT(predict::expected_seconds(other), predict::expected_seconds(plan));
    }
  }
}

}  // namespace
}  // namespace breakeven
