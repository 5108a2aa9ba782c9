// SPDX-License-Identifier: Apache-2.0
// What the report says of how long, how steadily and at which clocks both sides of a speed-up were measured.
#include <gtest/gtest.h>

#include <utility>

#include "src/report/format/numbers.h"
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

std::string verdict_of(const Results& results) { return json_of(results)["headline"][0]; }

TEST(Conditions, RunsWithoutSettlingAreBurstsWhereverTheyAreRead) {
  const std::string said = said_of(results_by_hand());
  EXPECT_TRUE(
      contains(said, "95 % intervals: within one launch. Bursts were measured right after the warm-up, for"))
      << said;
  EXPECT_TRUE(contains(said, "runs were measured right after the warm-up. A GPU that works for seconds"))
      << said;
  EXPECT_FALSE(contains(said, "still drifted") || contains(said, "not steady")) << said;
}

// Whatever the report says them of: the answer, the verdict, the JSON.
TEST(Conditions, LongRunsWithoutSettlingAreNoBursts) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  const auto with = [&](double seconds, std::size_t runs) {
    for (RecordedRun& run : results.runs)
      for (RunRecord& rank : run.ranks) rank.steps_host_seconds = runs-- > 0 ? seconds : 0.1;
    return said_of(results);
  };
  EXPECT_TRUE(contains(with(0.4, 8), ", in bursts)"));
  EXPECT_EQ(json_of(results)["cases"][0]["unsettled_runs"], 4);
  const std::string said = with(2, 100);
  EXPECT_TRUE(contains(said, "Runs that did not settle were measured for 2.00 s.")) << said;
  EXPECT_TRUE(contains(said, ", not settled)")) << said;
  EXPECT_FALSE(contains(said, "urst")) << said;
  EXPECT_EQ(json_of(results)["cases"][0]["unsettled_runs"], 4);
  EXPECT_TRUE(contains(with(not_measured, 100), ", not settled)"));
}

TEST(Conditions, SettledRunsSayForHowLong) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results, SettleEnd::steady);
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "95 % intervals: within one launch. Settling took 1.00 s, measuring ")) << said;
  EXPECT_FALSE(contains(said, "burst")) << said;
  EXPECT_FALSE(contains(said, "power limit")) << said;
}

// The four runs of either side in so many launches.
Results in_launches(std::uint32_t launches) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results);
  for (std::uint32_t launch = 1; launch < launches; ++launch) results.launches.push_back(launch_by_hand(2));
  for (RecordedRun& run : results.runs) run.launch = run.planned.repeat % launches;
  return results;
}

TEST(Conditions, EveryIntervalSaysWhatItCovers) {
  const std::string within = "within one launch", between = "between 4 launches",
                    missing = "none from 2 launches, a third launch is missing";
  for (const auto& [launches, scope] : {std::pair(1u, within), {2u, missing}, {4u, between}}) {
    const Results results = in_launches(launches);
    const std::string text = on_one_line(text_of(results));
    for (const char* where :
         {"95 % intervals: ", "speed-up with its 95 % interval (", "mean with its 95 % interval (",
          "Costs of a million samples; 95 % intervals ("})
      EXPECT_TRUE(contains(text, std::string(where) + scope)) << where << scope << '\n' << text;
    for (const std::string& other : {within, missing, between})
      EXPECT_EQ(contains(text, other), other == scope) << text;
    const auto row = json_of(results)["cases"][1];
    EXPECT_EQ(row["speedup_covers"], scope);
    EXPECT_EQ(row["interval_covers"], scope);
  }
}

TEST(Conditions, EachRowSaysItWhereRowsDiffer) {
  Results results = in_launches(4);
  const Results other = in_launches(1);
  for (RecordedRun run : other.runs) {
    run.planned.what.batch = 128;
    results.runs.push_back(run);
  }
  const std::string text = on_one_line(report::make_report(results, {.sections = {"speed"}}));
  EXPECT_TRUE(contains(text, "between 4 launches; within one launch)")) << text;
  EXPECT_TRUE(contains(text, "Its interval")) << text;
  EXPECT_FALSE(contains(report::make_report(other, {.sections = {"speed"}}), "Its interval"));
}

TEST(Conditions, WhatStillDriftsIsCounted) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results, SettleEnd::time_limit);
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "Of 8, 8 still drifted.")) << said;
  EXPECT_TRUE(contains(said, "8 of all 8 runs of the file still drifted when --settle was over.")) << said;
}

// The headline's batch settled, another did not.
TEST(Conditions, TheVerdictSaysWhatDriftedAtOtherBatches) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(results);
  Results other = two_sides({1.98e9, 0}, {1.98e9, 0});
  settle(other, SettleEnd::time_limit);
  for (RecordedRun& run : other.runs) {
    run.planned.what.batch = 128;
    results.runs.push_back(run);
  }
  EXPECT_TRUE(
      contains(verdict_of(results), ", settled; 8 of 16 runs of both sides at all batches still drifted)"));
}

// Two strategies alike: the interval of the faster one is wider by Bonferroni's inequality, as in the speed
// table.
TEST(Conditions, TheVerdictOfTheFastestHasTheIntervalOfTheBestOfMany) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat)
    results.runs.push_back(
        run_by_hand(case_by_hand(64, 2, "zero1"), repeat, 1.5e-3 * (1 + 5e-3 * (repeat % 2))));
  const std::string headline = verdict_of(results);
  const std::size_t begin = headline.find("zero1 ") + 6;
  const std::string interval = headline.substr(begin, headline.find(" times as fast") - begin);
  const std::string speed = on_one_line(report::make_report(results, {.sections = {"speed"}}));
  const std::string fastest = speed.substr(speed.find("The fastest on more than one GPU"));
  EXPECT_TRUE(contains(fastest, "zero1 on 2 " + interval)) << interval << '\n' << speed;
  EXPECT_FALSE(contains(speed.substr(0, speed.size() - fastest.size()), interval))
      << "the test shows nothing";
}

// Twelve records a run; those of two of the eight runs rise by 10 %.
TEST(Conditions, RunsThatMoveWhileTheyAreMeasuredAreNotSteadyThoughTheySettled) {
  Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
  for (RecordedRun& run : results.runs) {
    const double seconds = run.ranks[0].at(0, Phase::step);
    run = run_by_hand(run.planned.what, run.planned.repeat, seconds, 0, 12);
    for (std::uint32_t step = 0; step < 12 && run.planned.repeat == 3; ++step)
      for (RunRecord& rank : run.ranks) rank.at(step, Phase::step) *= 1 + 0.1 * step / 11;
  }
  settle(results);
  const std::string said = said_of(results);
  EXPECT_TRUE(contains(said, "Of 8, 2 not steady.")) << said;
  EXPECT_TRUE(contains(said, "2 of 8 runs were not steady while they were measured")) << said;
  EXPECT_TRUE(contains(said, ", settled)")) << said;
  const auto row = json_of(results)["cases"][0];
  EXPECT_EQ(row["settled_runs"], 4);
  EXPECT_EQ(row["drifting_runs"], 0);
  EXPECT_EQ(row["runs_not_steady"], 1);
}

TEST(Conditions, APowerLimitOfTheBaselineAloneIsPartOfTheAnswer) {
  const std::string said = said_of(two_sides({1.65e9, power_cap}, {1.98e9, 0}));
  EXPECT_TRUE(contains(said,
                       "At batch 64 the power limit holds one GPU at 1650 MHz, 600 W (each of 2: 1980 MHz, "
                       "600 W). At equal clocks, 1.25 would be at least about 1.04."))
      << said;
}

// Below 90 % of the time at work, in runs that are longer than NVML's window.
TEST(Conditions, IdleGpusAreNamed) {
  const auto said_at = [](double percent, bool settles) {
    Results results = two_sides({1.98e9, 0}, {1.98e9, 0});
    for (RecordedRun& run : results.runs)
      for (RunRecord& rank : run.ranks) rank.telemetry.utilization_percent = 100;
    for (RecordedRun& run : results.runs)
      if (run.ranks.size() == 2) run.ranks[1].telemetry.utilization_percent = percent;
    if (settles) settle(results);
    return said_of(results);
  };
  EXPECT_TRUE(contains(said_at(64, true),
                       "Idle GPUs: In 1 of 2 cases no kernel ran on some GPU for over 10 % of the time "
                       "(most: 36 %, medium batch 64 ddp on 2)."));
  for (const auto& [percent, settles] : {std::pair(95.0, true), {64.0, false}, {not_measured, true}})
    EXPECT_FALSE(contains(said_at(percent, settles), "Idle GPUs")) << percent << settles;
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
