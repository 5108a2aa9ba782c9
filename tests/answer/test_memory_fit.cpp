// SPDX-License-Identifier: Apache-2.0
// Which cases fit into a limit, and the report that says so.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/analysis/case_costs.h"
#include "src/core/strategy/case_strategy.h"
#include "src/predict/rank_memory.h"
#include "src/report/report.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

// 8 rows on each of 2 ranks take 80 of the 1,000 bytes predicted; 1,100 were measured.
analysis::CaseSummary measured_case() {
  analysis::CaseSummary summary;
  summary.what = case_by_hand(16, 2, "ddp");
  summary.readings.predicted_memory_bytes = 1000;
  summary.readings.rows_memory_bytes = 80;
  summary.readings.peak_memory_bytes = 1100;
  return summary;
}

TEST(MemoryFit, WhatIsNotPredictedStaysAndRowsAreAdded) {
  const analysis::MemoryFit fit = analysis::fit_memory(measured_case(), 1205);
  EXPECT_TRUE(fit.fits);
  EXPECT_EQ(fit.bytes, 1100);
  EXPECT_EQ(fit.bytes_a_row, 10);
  EXPECT_EQ(fit.largest_batch, 36);  // 1,020 + 18 x 10 = 1,200 on each of 2
}

TEST(MemoryFit, LessThanItNeedsMayStillHoldASmallerBatch) {
  EXPECT_FALSE(analysis::fit_memory(measured_case(), 1099).fits);
  EXPECT_EQ(analysis::fit_memory(measured_case(), 1099).largest_batch, 14);
  EXPECT_TRUE(analysis::fit_memory(measured_case(), 1100).fits);
  EXPECT_EQ(analysis::fit_memory(measured_case(), 1100).largest_batch, 16);
  EXPECT_EQ(analysis::fit_memory(measured_case(), 1019).largest_batch, 0);
}

TEST(MemoryFit, WhatWasNotMeasuredFitsNowhere) {
  for (const auto field :
       {&analysis::Readings::predicted_memory_bytes, &analysis::Readings::peak_memory_bytes}) {
    analysis::CaseSummary summary = measured_case();
    summary.readings.*field = not_measured;
    const analysis::MemoryFit fit = analysis::fit_memory(summary, 1e12);
    EXPECT_FALSE(fit.fits);
    EXPECT_TRUE(std::isnan(fit.bytes));
    EXPECT_TRUE(std::isnan(fit.largest_batch));
  }
}

Results with_predictions() {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.predicted_memory_bytes = 3.0 * 1048576;
      rank.rows_memory_bytes = 1024.0 * run.planned.what.batch / run.planned.what.gpus;
    }
  }
  return results;
}

double without_samples(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  return static_cast<double>(
      strategy.info->memory_need(strategy.options, mlp_of_case(what, 0), 0, what.gpus).total());
}

// Each run holds 1,000,000 bytes of samples, and 3 MiB more were measured.
TEST(RankMemory, IsTheReportsWhereMeasuredAndHoldsTheSamplesElsewhere) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.predicted_memory_bytes = without_samples(run.planned.what) + 1e6;
      rank.peak_memory_bytes = rank.predicted_memory_bytes + 3 * 1048576;
    }
  }
  const analysis::FileAnalysis file(results);
  const predict::RankMemory memory(file);
  Case known = case_by_hand(128, 2, "ddp"), other = case_by_hand(512, 2, "ddp");
  known.timing = other.timing = {};
  EXPECT_EQ(memory.bytes_of(known), without_samples(known) + 1e6 + 3 * 1048576);
  EXPECT_EQ(memory.bytes_of(other), without_samples(other) + 1e6);
  const ModelShape& shape = other.model.value();
  Case wider = other;
  wider.model = fmt::format("{}-64-{}", 3 * shape.inputs(), 3 * shape.outputs());
  EXPECT_NEAR(memory.bytes_of(wider), without_samples(wider) + 3e6, 1);
}

TEST(ReportMemory, SaysWhatFitsAndUpToWhichBatch) {
  const auto text = [](std::uint64_t limit) {
    return report::make_report(with_predictions(), {.sections = {"all"}, .memory_limit_bytes = limit});
  };
  EXPECT_NE(text(0).find("Memory of one rank"), std::string::npos);
  EXPECT_EQ(text(0).find("Largest"), std::string::npos);
  EXPECT_NE(text(5 * 1048576).find("the limit is 5.00 MiB"), std::string::npos);
  const auto report = nlohmann::json::parse(report::make_report(
      with_predictions(), {.format = report::ReportFormat::json, .memory_limit_bytes = 5 * 1048576}));
  for (const auto& row : report["cases"]) {
    EXPECT_EQ(row["fits"], true);
    // 4 MiB measured; 1,024 more rows a rank fit into the fifth.
    EXPECT_EQ(row["largest_batch"], row["batch"].get<double>() + 1024 * row["gpus"].get<double>());
  }
  const auto without = nlohmann::json::parse(report::make_report(
      results_by_hand(), {.format = report::ReportFormat::json, .memory_limit_bytes = 5 * 1048576}));
  EXPECT_TRUE(without["cases"][0]["fits"].is_null());
}

}  // namespace
}  // namespace breakeven::analysis
