// SPDX-License-Identifier: Apache-2.0
// The report on training until a quality: what the steps are worth beside how long they take.
#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// Four blocks at batch 16: one GPU takes 100 steps of 10 ms to the loss, and ddp on two GPUs takes steps of
// half the time, `worth` times as many.
Results trained_until(const std::string& quality, double worth) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  results.launches[0].settings = {{"steps", "8"}, {"until", quality}};
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
    const double steps = 100 + 4.0 * repeat;  // a draw of its own, which both share
    results.runs.push_back(run_by_hand(case_by_hand(16, 1, "single"), repeat, 10e-3, 0, 8));
    results.runs.push_back(run_by_hand(case_by_hand(16, 2, "ddp"), repeat, 5e-3, 0, 8));
    for (RunRecord& rank : results.runs[2 * repeat].ranks) rank.steps_to_quality = steps;
    for (RunRecord& rank : results.runs[2 * repeat + 1].ranks) rank.steps_to_quality = worth * steps;
  }
  return results;
}

const nlohmann::json& case_on(int gpus, const nlohmann::json& report) {
  for (const auto& row : report["cases"]) {
    if (row["gpus"] == gpus) return row;
  }
  throw std::runtime_error("no such case");
}

TEST(ReportQuality, AStepThatTeachesAsMuchPaysAsMuch) {
  const Results results = trained_until("loss=0.5", 1);
  EXPECT_TRUE(contains(on_one_line(text_of(results)), "Quality: training until loss=0.5"));
  EXPECT_TRUE(
      contains(on_one_line(text_of(results)),
               "by time to loss=0.5: ddp on 2 GPUs pays. Its speed-up over one GPU is 2.000 (2.000–2.000) at "
               "batch 16 (one GPU: 1.06 s, 1,696 samples)."));
  const auto row = case_on(2, json_of(results));
  EXPECT_EQ(row["quality"], "loss=0.5");
  EXPECT_NEAR(row["steps_to_quality"].get<double>(), 106, 1e-9);
  EXPECT_NEAR(row["samples_to_quality"].get<double>(), 106 * 16, 1e-9);
  EXPECT_NEAR(row["seconds_to_quality"].get<double>(), 0.53, 1e-9);
  EXPECT_LT(row["seconds_to_quality_low"].get<double>(), 0.53);
  EXPECT_NEAR(row["quality_speedup"].get<double>(), 2, 1e-9);
  EXPECT_EQ(row["quality_verdict"], "pays");
  EXPECT_EQ(case_on(1, json_of(results))["quality_verdict"], "base");
}

// Runs of one launch are alike: two in each of two launches are no sample of four.
TEST(ReportQuality, LaunchesAreTheUnitWhereThereAreSeveral) {
  Results results = trained_until("loss=0.5", 1);
  results.launches.push_back(results.launches[0]);
  for (RecordedRun& run : results.runs) run.launch = run.planned.repeat / 2;
  const auto row = case_on(2, json_of(results));
  EXPECT_NEAR(row["seconds_to_quality"].get<double>(), 0.53, 1e-9);
  EXPECT_TRUE(row["seconds_to_quality_low"].is_null());
  EXPECT_TRUE(row["quality_speedup_low"].is_null());
}

TEST(ReportQuality, AFasterStepThatTeachesLessIsNotFaster) {
  const Results results = trained_until("loss=0.5", 3);
  const auto row = case_on(2, json_of(results));
  EXPECT_NEAR(row["speedup"].get<double>(), 2, 1e-9);
  EXPECT_EQ(row["verdict"], "pays");
  EXPECT_NEAR(row["quality_speedup"].get<double>(), 2.0 / 3, 1e-9);
  EXPECT_EQ(row["quality_verdict"], "does_not_pay");
  EXPECT_TRUE(contains(on_one_line(text_of(results)), "by time to loss=0.5: ddp on 2 GPUs does not pay."));
  EXPECT_TRUE(contains(on_one_line(text_of(results)),
                       "Fastest to loss=0.5, whatever the batch: of one GPU single on 1 at"));
}

TEST(ReportQuality, WhatWasNotReachedHasNoTime) {
  Results results = trained_until("accuracy=0.9", 1);
  for (RunRecord& rank : results.runs[3].ranks) rank.steps_to_quality = not_measured;
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "3 of 4 – – –")) << text;
  EXPECT_TRUE(contains(text, "not reached"));
  EXPECT_TRUE(contains(text, "1 of 8 runs did not reach accuracy=0.9 in all of their steps"));
  EXPECT_TRUE(contains(text, "by time to accuracy=0.9: ddp on 2 GPUs cannot be compared with one GPU."));
  const auto row = case_on(2, json_of(results));
  EXPECT_EQ(row["quality_reached_runs"], 3);
  EXPECT_TRUE(row["steps_to_quality"].is_null());
  EXPECT_TRUE(row["quality_speedup"].is_null());
  EXPECT_EQ(row["quality_verdict"], "not_measured");
  EXPECT_EQ(row["verdict"], "pays");
}

TEST(ReportQuality, RanksThatDisagreeHaveNotReachedIt) {
  Results results = trained_until("loss=0.5", 1);
  results.runs[1].ranks[1].steps_to_quality += 1;
  EXPECT_EQ(case_on(2, json_of(results))["quality_reached_runs"], 3);
}

TEST(ReportQuality, LaunchesOfDifferentQualitiesAreNotPutTogether) {
  Results results = trained_until("loss=0.5", 1);
  results.launches.push_back(results.launches.front());
  results.launches[1].settings.back().second = "loss=0.4";
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "used different quality targets"));
  EXPECT_FALSE(contains(text, "Quality: training until"));
  EXPECT_TRUE(case_on(2, json_of(results))["steps_to_quality"].is_null());
}

TEST(ReportQuality, NothingIsSaidWhereNoLaunchAsked) {
  const std::string text = on_one_line(text_of(results_by_hand()));
  EXPECT_FALSE(contains(text, "Quality: training until"));
  EXPECT_FALSE(contains(text, "by time to"));
  EXPECT_EQ(json_of(results_by_hand())["cases"][0]["quality"], "");
}

TEST(ReportQuality, StepsThatWereNotMadeDoNotCount) {
  Results results = trained_until("loss=0.5", 1);
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.steps_made = 5;
      for (std::uint32_t step = 5; step < rank.steps; ++step) {
        rank.at(step, Phase::step) = rank.loss[step] = not_measured;
      }
    }
  }
  const auto row = case_on(2, json_of(results));
  EXPECT_EQ(row["steps"], 20);
  EXPECT_NEAR(row["step_seconds"].get<double>(), 5e-3, 1e-12);
  EXPECT_NEAR(row["final_loss"].get<double>(), 2.0, 1e-12);
  EXPECT_EQ(row["quality_verdict"], "pays");
}

}  // namespace
}  // namespace breakeven
