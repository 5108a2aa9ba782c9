// SPDX-License-Identifier: Apache-2.0
// The bounds of a speed-up by hand, from made-up runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/analysis/file_analysis.h"
#include "src/core/model/parameter_layout.h"
#include "src/report/report.h"
#include "tests/support/machine_by_hand.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

constexpr double bounds_tolerance = 1e-12;

void add_runs(Results& results, const Case& what, double seconds) {
  for (std::uint32_t repeat = 0; repeat < 3; ++repeat)
    results.runs.push_back(run_by_hand(what, repeat, seconds));
}

// A base of 1 ms, and 0.8 ms on two GPUs.
Results two_gpus(const std::string& strategy) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_runs(results, case_by_hand(128, 1, "single"), 1e-3);
  add_runs(results, case_by_hand(128, 2, strategy), 0.8e-3);
  return results;
}

analysis::SpeedupBounds bounds_in(const Results& results) {
  const analysis::FileAnalysis analysis(results);
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) return line.bounds;
  }
  return {};
}

TEST(SpeedupBounds, AmdahlBySingleAtTheRows) {
  Results results = two_gpus("ddp");
  add_runs(results, case_by_hand(64, 1, "single"), 0.7e-3);  // 0.4 ms, and 0.3 ms for each 64 samples
  const analysis::SpeedupBounds bounds = bounds_in(results);
  EXPECT_EQ(bounds.ideal, 2);
  EXPECT_TRUE(bounds.serial_by_rows);
  EXPECT_NEAR(bounds.serial_share, 0.4, bounds_tolerance);
  EXPECT_NEAR(bounds.amdahl, 1 / 0.7, bounds_tolerance);
  EXPECT_TRUE(std::isnan(bounds.link)) << "no launch has measured single calls";
}

TEST(SpeedupBounds, AmdahlByPhasesWhereTheRowsWereNotMeasured) {
  Results results = two_gpus("ddp");
  EXPECT_TRUE(std::isnan(bounds_in(results).amdahl));
  add_runs(results, case_by_hand(128, 1, "single", Timing::phases), 1.1e-3);
  const analysis::SpeedupBounds bounds = bounds_in(results);
  EXPECT_FALSE(bounds.serial_by_rows);
  EXPECT_NEAR(bounds.serial_share, 0.2, bounds_tolerance) << "a tenth is optimizer, a tenth overhead";
  EXPECT_NEAR(bounds.amdahl, 1 / 0.6, bounds_tolerance);
}

TEST(SpeedupBounds, AmdahlIsNotDefinedForSplitModelsCopiesAndWeakScaling) {
  Results weak = two_gpus("ddp");
  for (RecordedRun& run : weak.runs) {
    run.planned.what.scaling = Scaling::weak;
    if (run.planned.what.gpus == 1) run.planned.what.batch = 64;
  }
  for (const Results& results : {two_gpus("tensor"), two_gpus("independent"), weak}) {
    const analysis::SpeedupBounds bounds = bounds_in(results);
    EXPECT_TRUE(std::isnan(bounds.amdahl));
    EXPECT_EQ(bounds.ideal, 2);
  }
}

// Small all-reduces take 0.1 ms and those of this model's size 0.35 ms: 0.25 ms are its bytes.
void add_slow_messages(Results& results) {
  const auto seconds = results.launches[0].message_times.of(1, 2, Collective::all_reduce);
  std::ranges::fill(seconds, 0.35e-3);
  seconds[0] = 0.1e-3;
}

TEST(SpeedupBounds, TheLinksBoundHasTheBytesAlone) {
  Results results = two_gpus("ddp");
  add_slow_messages(results);
  EXPECT_NEAR(bounds_in(results).link, 1 / 0.75, bounds_tolerance) << "1 ms over 0.5 and 0.25";
}

TEST(SpeedupBounds, WhereTheExchangeIsBesideComputeTheLongerOfTheTwoBounds) {
  Results results = two_gpus("stale");
  add_slow_messages(results);
  EXPECT_NEAR(bounds_in(results).link, 2, bounds_tolerance) << "0.25 ms hide behind 0.5";
}

// One kernel exchanges and updates, so the exchange takes time beside the update, which the ideal step
// contains.
TEST(SpeedupBounds, OverPeerTheExchangeIsBesideTheUpdate) {
  for (const std::string strategy : {"ddp", "zero1"}) {
    Results results = two_gpus(strategy);
    MessageTimes& times = results.launches[0].message_times;
    times = message_times_by_hand();
    for (std::size_t kind = 0; kind < probed_kinds; ++kind) {
      const auto call = static_cast<Collective>(kind);
      std::ranges::copy(times.of(*place_of(Transport::nccl), 2, call),
                        times.of(*place_of(Transport::peer), 2, call).begin());
    }
    const double over_nccl = bounds_in(results).link;
    for (RecordedRun& run : results.runs)
      if (run.planned.what.gpus > 1) run.planned.what.transport = Transport::peer;
    EXPECT_LT(over_nccl, 2) << strategy;
    EXPECT_NEAR(bounds_in(results).link, 2, bounds_tolerance)
        << strategy << ": the link is the shorter of the two";
  }
}

TEST(SpeedupBounds, StandInTheReport) {
  Results results = two_gpus("ddp");
  add_runs(results, case_by_hand(64, 1, "single"), 0.7e-3);
  add_slow_messages(results);
  const auto json =
      nlohmann::json::parse(report::make_report(results, {.format = report::ReportFormat::json}));
  ASSERT_EQ(json["bounds"].size(), 1u);
  const auto& row = json["bounds"][0];
  EXPECT_NEAR(row["speedup"], 1.25, bounds_tolerance);
  EXPECT_NEAR(row["amdahl"], 1 / 0.7, bounds_tolerance);
  EXPECT_NEAR(row["link"], 1 / 0.75, bounds_tolerance);
  EXPECT_NEAR(row["of_tightest"], 1.25 * 0.75, bounds_tolerance);
  EXPECT_EQ(row["serial_from"], "rows");
  ASSERT_EQ(json["loss_budgets"].size(), 1u);
  const auto& budget = json["loss_budgets"][0];
  EXPECT_NEAR(budget["loss_seconds"], 0.3e-3, bounds_tolerance);
  EXPECT_NEAR(budget["loss_gemm_efficiency_seconds"], 0.2e-3, bounds_tolerance);
  EXPECT_TRUE(budget["loss_unexplained_share"].is_null()) << "phases were not recorded";
  EXPECT_TRUE(budget["loss_waiting_seconds"].is_null());
}

// Calls that were measured far slower than steps are, as on processor cores.
TEST(SpeedupBounds, ABoundFarBelowTheSpeedUpDoesNotHold) {
  const auto bounds_of = [](double slower) {
    Results results = two_gpus("ddp");
    MessageTimes& times = results.launches[0].message_times;
    times = message_times_by_hand();
    for (std::size_t kind = 0; kind < probed_kinds; ++kind)
      for (double& seconds : times.of(*place_of(Transport::nccl), 2, static_cast<Collective>(kind)))
        seconds *= slower;
    return on_one_line(report::make_report(results, {.sections = {"bounds"}}));
  };
  EXPECT_FALSE(contains(bounds_of(1), "does not hold")) << bounds_of(1);
  EXPECT_TRUE(contains(bounds_of(1e6), "does not hold")) << bounds_of(1e6);
}

}  // namespace
}  // namespace breakeven::analysis
