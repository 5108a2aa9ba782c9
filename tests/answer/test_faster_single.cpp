// SPDX-License-Identifier: Apache-2.0
// One GPU that is faster in another precision than the one asked for is named beside the answer, and only
// where the runs show it.
#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// bf16: one GPU and ddp on two at batch 16 and 128. And one GPU in fp32, whose steps take `share` of bf16's,
// a little less in every second block; by launch `launch`.
Results beside_fp32(double share, std::uint32_t launch = 0) {
  Results results;
  results.launches.assign(2, launch_by_hand(2));
  for (const std::uint32_t batch : {16u, 128u}) add_pair(results, batch, 40e-6, 0.5);
  for (RecordedRun& run : results.runs) run.planned.what.precision = Precision::bf16;
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat)
    results.runs.push_back(run_by_hand(case_by_hand(16, 1, "single"), repeat,
                                       40e-6 * (1 + 0.1 * repeat) * share * (1 - 0.005 * (repeat % 2)),
                                       launch));
  return results;
}

nlohmann::json case_of(const nlohmann::json& report, int batch, const std::string& strategy,
                       const std::string& timing = "total") {
  for (const auto& row : report["cases"])
    if (row["batch"] == batch && row["strategy"] == strategy && row["timing"] == timing &&
        row["precision"] == "bf16")
      return row;
  return {};
}

TEST(FasterSingle, IsNamedWithTheSpeedUpOverIt) {
  const Results results = beside_fp32(0.325);
  const auto report = json_of(results);
  const std::string said = report["answers"][0]["faster_single"];
  EXPECT_TRUE(contains(said, "With other settings one GPU is faster at batch 16: at batch 16 it takes "))
      << said;
  EXPECT_TRUE(contains(said, "a step with fp32, instead of 45.8 µs, and the speed-up over that is 0.16"))
      << said;
  EXPECT_TRUE(contains(on_one_line(text_of(results)), said));
  const auto row = case_of(report, 16, "ddp");
  EXPECT_EQ(row["faster_single"], "medium/b16/1x/single/fp32/tiled/none/strong/graph/resident");
  EXPECT_NEAR(row["speedup_over_faster_single"], 0.5 * 0.325, 0.005);
  EXPECT_LT(row["speedup_over_faster_single_low"], row["speedup_over_faster_single"]);
}

TEST(FasterSingle, OfAnotherBatchOrOfOneGpuIsNotNamed) {
  const auto report = json_of(beside_fp32(0.325));
  EXPECT_TRUE(case_of(report, 128, "ddp")["faster_single"].is_null());
  EXPECT_TRUE(case_of(report, 128, "ddp")["speedup_over_faster_single"].is_null());
  EXPECT_TRUE(case_of(report, 16, "single")["faster_single"].is_null());
}

TEST(FasterSingle, MustBeShownToBeFaster) {
  for (const double share : {1.5, 1.0, 0.985}) {
    const auto report = json_of(beside_fp32(share));
    EXPECT_EQ(report["answers"][0]["faster_single"], "") << share;
    EXPECT_TRUE(case_of(report, 16, "ddp")["faster_single"].is_null()) << share;
  }
}

TEST(FasterSingle, OfOtherLaunchesAloneDoesNotCount) {
  EXPECT_EQ(json_of(beside_fp32(0.325, 1))["answers"][0]["faster_single"], "");
}

TEST(FasterSingle, WithOrWithoutAGraphCountsToo) {
  Results results = beside_fp32(0.5);
  for (RecordedRun& run : results.runs) {
    Case& what = run.planned.what;
    if (what.precision == Precision::fp32) what.graph = false;
    what.precision = Precision::bf16;
  }
  EXPECT_TRUE(contains(json_of(results)["answers"][0]["faster_single"], "with no graph,"));
}

}  // namespace
}  // namespace breakeven
