// SPDX-License-Identifier: Apache-2.0
// The report's costs of a sample: GPU time and energy from the runs, money by the price, and the gains of
// `advise` on the same case.
#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

using Json = nlohmann::json;

// A GPU takes 500 W, with a little more in every second run.
Results with_energy() {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks)
      rank.telemetry.energy_joules = rank.steps_device_seconds * (500 + 5 * (run.planned.repeat % 2));
  }
  return results;
}

Json row_of(const Results& results, int gpus, const report::ReportRequest& request) {
  const Json report = Json::parse(report::make_report(results, request));
  for (const Json& row : report["cases"]) {
    if (row["batch"] == 128 && row["gpus"] == gpus && row["timing"] == "total") return row;
  }
  return {};
}

TEST(ReportCosts, AreThoseOfAllGpus) {
  const report::ReportRequest request{.format = report::ReportFormat::json, .price_an_hour = 3.6};
  for (const int gpus : {1, 2}) {
    const Json row = row_of(with_energy(), gpus, request);
    const double gpu_seconds = gpus * row["step_seconds"].get<double>() / 128;
    EXPECT_NEAR(row["gpu_seconds_per_sample"], gpu_seconds, 1e-12);
    EXPECT_NEAR(row["cost_per_million_samples"], 1e6 * gpu_seconds * 3.6 / 3600, 1e-9);
    EXPECT_LT(row["cost_per_million_samples_low"], row["cost_per_million_samples"]);
    EXPECT_NEAR(row["joules_per_sample"].get<double>() / gpu_seconds, 502.5, 1);
    EXPECT_LT(row["joules_per_sample_low"], row["joules_per_sample"]);
    EXPECT_GT(row["joules_per_sample_high"], row["joules_per_sample"]);
  }
}

TEST(ReportCosts, GainsAreThoseOfOneGpuOverMore) {
  const Json more = row_of(with_energy(), 2, {.format = report::ReportFormat::json});
  EXPECT_DOUBLE_EQ(more["gpu_hours_gain"], more["speedup"].get<double>() / 2);
  EXPECT_DOUBLE_EQ(more["gpu_hours_gain_low"], more["speedup_low"].get<double>() / 2);
  EXPECT_EQ(more["gpu_hours_verdict"], "does_not_pay");
  EXPECT_NEAR(more["energy_gain"], more["gpu_hours_gain"], 1e-2);
  EXPECT_TRUE(more["cost_per_million_samples"].is_null()) << "no price was given";
  const Json one = row_of(with_energy(), 1, {.format = report::ReportFormat::json});
  EXPECT_TRUE(one["gpu_hours_gain"].is_null());
  EXPECT_EQ(one["gpu_hours_verdict"], "not_measured");
}

TEST(ReportCosts, WhatWasNotMeasuredHasNoColumn) {
  const auto text = [](const Results& results, double price) {
    return on_one_line(report::make_report(results, {.sections = {"costs"}, .price_an_hour = price}));
  };
  EXPECT_TRUE(contains(text(with_energy(), 2.5), "Money,"));
  EXPECT_TRUE(contains(text(with_energy(), 2.5), "By energy"));
  EXPECT_FALSE(contains(text(with_energy(), 0), "Money,"));
  EXPECT_FALSE(contains(text(results_by_hand(), 2.5), "nergy"));
  EXPECT_TRUE(contains(text(results_by_hand(), 2.5), "By GPU-hours"));
}

TEST(ReportCosts, MoneyIsOfAsManySamplesAsItTakesToReadIt) {
  const auto text = [](double price) {
    return on_one_line(
        report::make_report(results_by_hand(), {.sections = {"costs"}, .price_an_hour = price}));
  };
  EXPECT_FALSE(contains(text(2.5), "a billion"));
  EXPECT_TRUE(contains(text(0.1), "a billion")) << text(0.1);
}

// One launch in three was hit by a hiccup.
Results of_unlike_launches() {
  Results results;
  results.path = "results.h5";
  for (const double seconds : {19.6e-6, 162e-6, 21.3e-6}) {
    const auto launch = static_cast<std::uint32_t>(results.launches.size());
    results.launches.push_back(launch_by_hand(2));
    results.runs.push_back(run_by_hand(case_by_hand(128, 1, "single"), 0, 18.4e-6, launch));
    results.runs.push_back(run_by_hand(case_by_hand(128, 2, "ddp"), 0, seconds, launch));
  }
  return results;
}

TEST(ReportCosts, AndStepsOfUnlikeLaunchesAreTheirMeanWithoutAnInterval) {
  const Results results = of_unlike_launches();
  const std::string costs = on_one_line(report::make_report(results, {.sections = {"costs"}}));
  EXPECT_TRUE(contains(costs, "1.06 s (interval not known)")) << costs;  // 2 x 67.63 us x 1e6 / 128
  const std::string steps = on_one_line(report::make_report(results, {.sections = {"steps"}}));
  EXPECT_TRUE(contains(steps, "67.6 µs (interval not known)")) << steps;
  EXPECT_TRUE(contains(steps, "arithmetic mean")) << steps;
  const std::string speed = on_one_line(report::make_report(results, {.sections = {"speed"}}));
  EXPECT_TRUE(contains(speed, "samples a second (geometric mean")) << speed;
  const Json row = row_of(results, 2, {.format = report::ReportFormat::json});
  EXPECT_NEAR(row["gpu_seconds_per_sample"], 1.0568e-6, 1e-9);
  for (const char* name : {"gpu_seconds_per_sample", "step_seconds"}) {
    EXPECT_TRUE(row[std::string(name) + "_low"].is_null()) << name;
    EXPECT_TRUE(row[std::string(name) + "_high"].is_null()) << name;
  }
}

TEST(ReportCosts, StandInTheBriefReportWhereThereIsAPrice) {
  EXPECT_TRUE(
      contains(report::make_report(with_energy(), {.price_an_hour = 2.5}), "Costs of a million samples"));
  EXPECT_FALSE(contains(report::make_report(with_energy(), {}), "Costs of a million samples"));
}

}  // namespace
}  // namespace breakeven
