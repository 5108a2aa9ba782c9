// SPDX-License-Identifier: Apache-2.0
// What the report says of how long, how steadily and at which clocks both sides of a speed-up were measured.
#include <gtest/gtest.h>

#include "src/report/report.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

constexpr double power_cap = 4;  // bit of nvmlClocksEventReasons

struct Side {
  double clock_hz, reasons;
};

// One GPU and two at batch 64, four runs each: 2 ms and 1.6 ms a step.
Results two_sides(Side one, Side two) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
    const double noise = 1 + 1e-3 * repeat;
    results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), repeat, 2e-3 * noise));
    results.runs.push_back(run_by_hand(case_by_hand(64, 2, "ddp"), repeat, 1.6e-3 * noise));
  }
  for (RecordedRun& run : results.runs) {
    const Side& side = run.ranks.size() == 1 ? one : two;
    for (RunRecord& rank : run.ranks) {
      rank.telemetry.sm_clock_hz = side.clock_hz;
      rank.telemetry.power_watts = 600;
      rank.telemetry.throttle_reasons = side.reasons;
    }
  }
  return results;
}

std::string said_of(const Results& results) {
  return on_one_line(report::make_report(results, {.sections = {"answers", "warnings", "settling"}}));
}

TEST(Conditions, RunsWithoutSettlingAreBurstsWhereverTheyAreRead) {
  const std::string said = said_of(results_by_hand());
  EXPECT_TRUE(contains(said, "Within one launch, bursts were measured, for")) << said;
  EXPECT_TRUE(contains(said, "runs were measured right after the warm-up. A GPU that works for seconds"))
      << said;
  EXPECT_FALSE(contains(said, "still drifted")) << said;
}

TEST(Conditions, SettledRunsSayForHowLong) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results, SettleEnd::steady);
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "Within one launch, runs settled for 1.00 s and were measured for")) << said;
  EXPECT_FALSE(contains(said, "burst")) << said;
  EXPECT_FALSE(contains(said, "power limit")) << said;
}

TEST(Conditions, LaunchesAreCounted) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results);
  results.launches.push_back(launch_by_hand(2));
  for (std::size_t run = 4; run < results.runs.size(); ++run) results.runs[run].launch = 1;
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "In 2 launches, runs settled for")) << said;
}

TEST(Conditions, WhatStillDriftsIsCounted) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results, SettleEnd::time_limit);
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "8 of 8 still drifted.")) << said;
  EXPECT_TRUE(contains(said, "In 8 of 8 runs the step time or the clock still drifted")) << said;
}

TEST(Conditions, APowerLimitOfTheBaselineAloneIsPartOfTheAnswer) {
  const std::string said = said_of(two_sides({1.65e9, power_cap}, {1.98e9, 0}));
  EXPECT_TRUE(
      contains(said,
               "At batch 64 the power limit holds one GPU at 1650 MHz, 600 W; each of 2 runs at 1980 MHz, "
               "600 W. At equal clocks the speed-up would be 1.04 at least, instead of 1.25."))
      << said;
}

TEST(Conditions, ClocksWithoutAPowerLimitOrThatAreEqualAreNot) {
  const double not_a_number = not_measured;
  for (const auto& [one, two] : {std::pair<Side, Side>{{1.65e9, 0}, {1.98e9, 0}},
                                 {{1.98e9, power_cap}, {1.98e9, power_cap}},
                                 {{not_a_number, power_cap}, {1.98e9, 0}},
                                 {{1.65e9, power_cap}, {not_a_number, 0}}})
    EXPECT_FALSE(contains(said_of(two_sides(one, two)), "power limit holds"));
}

}  // namespace
}  // namespace breakeven
