// SPDX-License-Identifier: Apache-2.0
// Runs that ended long before their planned steps: a warning and no verdict.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// One GPU and two, `planned` steps each; the runs on two made only `made` of them, which is all that they
// store if `stores_made`.
Results pair_of(std::uint32_t planned, std::uint32_t made, bool stores_made) {
  Results results;
  results.path = "results.h5";
  results.launches.push_back(launch_by_hand(2));
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
    const double seconds = 1e-3 * (1 + 0.1 * repeat);
    results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), repeat, seconds, 0, planned));
    results.runs.push_back(
        run_by_hand(case_by_hand(64, 2, "ddp"), repeat, seconds / 1.8, 0, stores_made ? made : planned));
    for (RunRecord& rank : results.runs.back().ranks) rank.steps_made = made;
  }
  for (RecordedRun& run : results.runs) run.planned.what.model = "toy";
  return results;
}

Results shortened(std::uint32_t planned, std::uint32_t made) { return pair_of(planned, made, false); }

// A recorder stores as many steps as it made, and what it planned as a setting.
Results recorded(std::uint32_t planned, std::uint32_t made) {
  Results results = pair_of(planned, made, true);
  results.launches[0].command_line = "python3 train.py";
  results.launches[0].settings = {{"recorder", "1.0"}, {"steps", std::to_string(planned)}};
  return results;
}

bool has_verdict(const Results& results) {
  const std::string text = brief_of(results);
  EXPECT_EQ(contains(text, "Few steps: "), !contains(text, "ddp: faster at batch 64")) << text;
  return contains(text, "ddp: faster at batch 64");
}

TEST(ShortRuns, HaveAWarningAndNoVerdict) {
  for (const Results& results : {shortened(100, 7), recorded(100, 7)}) {
    EXPECT_FALSE(has_verdict(results));
    const std::string text = brief_of(results);
    EXPECT_TRUE(
        contains(text,
                 "Few steps: In 1 of 2 cases a run ended before 20 measured steps, although more were "
                 "planned (fewest: 7 of 100, toy batch 64 ddp on 2). Speed-ups of these cases have "
                 "no verdict."))
        << text;
    EXPECT_TRUE(contains(text, "undecided at batch 64")) << text;
    EXPECT_TRUE(contains(text, "undecided, too few steps")) << text;
    EXPECT_TRUE(contains(on_one_line(text_of(results)), "because a run ended before enough")) << text;
  }
}

TEST(ShortRuns, KeepVerdictsWhereAllPlannedStepsWereMade) {
  for (const std::uint32_t steps : {10u, 20u, 100u})
    EXPECT_TRUE(has_verdict(shortened(steps, steps))) << steps;
  EXPECT_TRUE(has_verdict(recorded(10, 10)));
  EXPECT_TRUE(has_verdict(shortened(100, 20)));
  EXPECT_FALSE(has_verdict(shortened(100, 19)));
}

// Each recorded step stands for several, and a run that one wall time measures has one.
TEST(ShortRuns, CountEveryStepThatWasTrained) {
  Results results = shortened(100, 7);
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks) rank.steps_apart = 3;
  EXPECT_TRUE(has_verdict(results));
  results = recorded(100, 1);
  EXPECT_FALSE(has_verdict(results));
  results.launches[0].settings.emplace_back("step-times", "wall time");
  EXPECT_TRUE(has_verdict(results));
}

TEST(ShortRuns, MayEndAtTheirQuality) {
  Results results = shortened(100, 7);
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks) rank.steps_to_quality = 7;
  EXPECT_TRUE(has_verdict(results));
}

TEST(ShortRuns, HaveNoVerdictInAdviceEither) {
  const Results results = shortened(100, 7);
  const std::string text = advice_of(results, "toy", 64);
  EXPECT_TRUE(contains(text, "It is undecided, too few steps: its speed-up")) << text;
  EXPECT_TRUE(contains(text, "A run ended before enough of its planned steps for a verdict.")) << text;
}

}  // namespace
}  // namespace breakeven
