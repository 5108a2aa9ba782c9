// SPDX-License-Identifier: Apache-2.0
// The report's table of the exchange against its formula, from a made-up file; and that none is claimed where
// no launch has measured its exchange.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/core/model/parameter_layout.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// Every all-reduce of two ranks over NCCL takes as long, whatever its size.
Results with_all_reduce_of(double seconds) {
  Results results = results_by_hand();
  std::ranges::fill(results.launches[0].message_times.of(1, 2, Collective::all_reduce), seconds);
  return results;
}

// The phases' steps at batch 16: 6.6 ms times 1, 1.1, 1.2, 1.3 over 0.74, every second one 1.005 times as
// long, all 1.01 times for the observer; a fifth of each is exchange.
constexpr double measured = 0.2 * 6.6e-3 / 0.74 * 1.01 * (1 + 1.1 * 1.005 + 1.2 + 1.3 * 1.005) / 4;

TEST(ReportExchange, StandsBesideItsFormula) {
  const auto rows = json_of(with_all_reduce_of(1e-3))["exchange"];
  ASSERT_EQ(rows.size(), 3u);  // of three batches
  const auto& row = rows[0];
  const ParameterLayout layout(std::get<ModelShape>(parse_model("medium")));
  EXPECT_EQ(row["model"], "medium");
  EXPECT_EQ(row["batch"], 16);
  EXPECT_EQ(row["strategy"], "ddp on 2");
  EXPECT_EQ(row["messages"], 1);
  EXPECT_EQ(row["bytes"], 4.0 * static_cast<double>(layout.floats()));
  EXPECT_DOUBLE_EQ(row["latency_seconds"], 1e-3);
  EXPECT_DOUBLE_EQ(row["bandwidth_seconds"], 0);
  EXPECT_DOUBLE_EQ(row["formula_seconds"], 1e-3);
  EXPECT_NEAR(row["measured_seconds"], measured, 1e-12);
  EXPECT_NEAR(row["ratio"], measured / 1e-3, 1e-9);
  EXPECT_EQ(row["difference"], "small messages");
}

TEST(ReportExchange, TidyRowsHaveTheFormula) {
  const auto cases = json_of(with_all_reduce_of(1e-3))["cases"];
  const auto is_ddp = [](const nlohmann::json& row) { return row["strategy"] == "ddp"; };
  const auto ddp = std::ranges::find_if(cases, is_ddp);
  ASSERT_NE(ddp, cases.end());
  EXPECT_DOUBLE_EQ((*ddp)["exchange_formula_seconds"], 1e-3);
  EXPECT_TRUE((*ddp)["bubble"].is_null());
  EXPECT_TRUE(cases[0]["exchange_formula_seconds"].is_null()) << "one GPU exchanges nothing";
}

TEST(ReportExchange, WithoutAMeasurementNoFormulaIsClaimed) {
  const std::string text = text_of(results_by_hand());
  EXPECT_TRUE(contains(text, "Exchange against its formula: not measured."));
  EXPECT_FALSE(contains(text, "What is in the difference"));
  EXPECT_TRUE(json_of(results_by_hand())["exchange"].empty());
  EXPECT_FALSE(contains(text_of(with_all_reduce_of(1e-3)), "formula: not measured"));
}

// By batch 128, 1.5 times as fast: 2.5 s more to begin with, and about a third of 7.6 to 9.9 ms saved a step.
TEST(ReportExchange, ConnectingIsPartOfTheFirstUse) {
  Results results = results_by_hand();
  EXPECT_FALSE(contains(text_of(results), "2.50 s"));
  EXPECT_TRUE(contains(text_of(results), "at once"));
  MessageTimes& times = results.launches[0].message_times;
  times.connect_seconds[times.place_of(1, 2)] = 2.5;
  EXPECT_TRUE(contains(text_of(results), "2.50 s"));
  EXPECT_FALSE(contains(text_of(results), "at once"));
}

TEST(ReportExchange, APipelinesBubbleStandsBesideItsFormula) {
  Results results = results_by_hand();
  for (const Timing timing : {Timing::steps, Timing::phases}) {
    const Case what = case_by_hand(64, 2, "pipeline:micro-batches=4", timing);
    results.runs.push_back(run_by_hand(what, 0, 1e-3));
  }
  RecordedRun& run = results.runs.back();
  for (std::uint32_t step = 0; step < run.steps; ++step) run.ranks[1].at(step, Phase::wait) = 0.3e-3;
  const auto rows = json_of(results)["bubbles"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["stages"], 2);
  EXPECT_EQ(rows[0]["micro_batches"], 4);
  EXPECT_NEAR(rows[0]["bubble"], 0.2, 1e-12);
  // Busy for 0.7 and 0.5 of a step: by formula it takes (1.2 + 3 x 0.7) / 4 of what it took.
  EXPECT_NEAR(rows[0]["idle_by_stages"], 1 - 0.6 / 0.825, 1e-12);
  EXPECT_TRUE(rows[0]["idle_by_stages_and_messages"].is_null());
  EXPECT_NEAR(rows[0]["idle"], 0.4, 1e-12);
  EXPECT_NEAR(rows[0]["idle_least"], 0.3, 1e-12);
  EXPECT_NEAR(rows[0]["idle_most"], 0.5, 1e-12);
}

}  // namespace
}  // namespace breakeven
