// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/run_trace.h"

#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

using Json = nlohmann::json;

// Two ranks, four steps of a millisecond each; the second rank begins a tenth
// of it later.
Results phases_on_two() {
  Results results;
  results.path = "by-hand.h5";
  results.launches.push_back(launch_by_hand(2));
  results.runs.push_back(run_by_hand(case_by_hand(64, 2, "ddp", Timing::phases), 0, 1e-3));
  for (int rank = 0; rank < 2; ++rank) {
    for (int step = 0; step < 4; ++step)
      results.runs[0].ranks[rank].start_seconds[step] = 5 + 1e-4 * rank + 1e-3 * step;
  }
  return results;
}

std::vector<Json> slices(const Results &results, int rank, const std::string &category, std::uint32_t step) {
  std::vector<Json> found;
  const Json trace = Json::parse(report::run_trace(results, 0, step, step + 1));
  for (const Json &event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["tid"] == 100 + rank && event["cat"] == category) found.push_back(event);
  }
  return found;
}

TEST(RunTrace, PhasesFollowOneAnotherFromTheStartOfTheStep) {
  const std::vector<Json> phases = slices(phases_on_two(), 1, "phase", 2);
  const std::vector<std::string> names{"overhead", "forward", "backward", "wait", "exchange", "optimizer"};
  const std::vector<double> microseconds{100, 300, 200, 100, 200, 100};
  ASSERT_EQ(phases.size(), names.size());
  double start = 5.0021e6;
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(phases[i]["name"], names[i]);
    EXPECT_DOUBLE_EQ(phases[i]["ts"].get<double>(), start);
    EXPECT_DOUBLE_EQ(phases[i]["dur"].get<double>(), microseconds[i]);
    start += microseconds[i];
  }
}

TEST(RunTrace, WhatWouldReachIntoTheNextStepIsCut) {
  Results results = phases_on_two();
  results.runs[0].ranks[0].start_seconds[3] -= 2e-7;  // a device's clock that runs faster than the common one
  results.runs[0].ranks[0].at(2, Phase::overhead) -= 1e-6;
  results.runs[0].ranks[0].at(2, Phase::optimizer) += 2e-6;
  const Json step = slices(results, 0, "step", 2).front();
  EXPECT_DOUBLE_EQ(step["dur"].get<double>(), 999.8);
  EXPECT_EQ(step["args"]["seconds"], 1e-3);
  const Json last = slices(results, 0, "phase", 2).back();
  EXPECT_DOUBLE_EQ(last["ts"].get<double>() + last["dur"].get<double>(),
                   step["ts"].get<double>() + step["dur"].get<double>());
}

TEST(RunTrace, WhatTookNoTimeOrIsNotKnownIsNotDrawn) {
  Results results = phases_on_two();
  results.runs[0].ranks[0].at(1, Phase::overhead) = -1e-9;
  results.runs[0].ranks[0].at(1, Phase::wait) = not_measured;
  for (const Json &phase : slices(results, 0, "phase", 1)) {
    EXPECT_NE(phase["name"], "overhead");
    EXPECT_NE(phase["name"], "wait");
    EXPECT_NE(phase["name"], "input");
  }
}

TEST(RunTrace, RanksThatDoNotWaitFetchBeforeTheyCompute) {
  Results results = phases_on_two();
  results.runs[0].planned.what.strategy = "async-server";
  results.runs[0].ranks[0].at(0, Phase::broadcast) = 1e-5;
  const std::vector<Json> phases = slices(results, 0, "phase", 0);
  EXPECT_EQ(phases[1]["name"], "broadcast");
  EXPECT_EQ(phases[2]["name"], "forward");
}

TEST(RunTrace, SaysWhyThereIsNone) {
  Results results = phases_on_two();
  EXPECT_EQ(report::untraceable(results, 0), "");
  results.runs[0].ranks[1].start_seconds[3] = not_measured;
  EXPECT_NE(report::untraceable(results, 0).find("has no start times of its steps"), std::string::npos);
  EXPECT_NE(report::untraceable(results, 0).find("an older program recorded it"), std::string::npos);
  results.launches[0].command_line = "breakeven wrap --gpus 2 --step-seconds X -- python3 train.py";
  EXPECT_NE(report::untraceable(results, 0).find("because the program that recorded it gives none"),
            std::string::npos);
  results.runs[0].ranks[1].steps_made = 3;
  EXPECT_EQ(report::untraceable(results, 0), "");
  EXPECT_EQ(report::traceable_steps(results.runs[0]), 3u);
  results.runs[0].status = RunStatus::planned;
  EXPECT_NE(report::untraceable(results, 0).find("was planned, but not finished"), std::string::npos);
}

TEST(RunTrace, NamesTheRunAndItsRanks) {
  const Json trace = Json::parse(report::run_trace(phases_on_two(), 0, 0, 4));
  const RankInfo first = launch_by_hand(2).topology.ranks[0];
  EXPECT_EQ(trace["traceEvents"][0]["args"]["name"], phases_on_two().runs[0].label);
  EXPECT_EQ(trace["traceEvents"][1]["args"]["name"],
            "rank 0 (" + first.device.name + ", " + first.host + ")");
  EXPECT_EQ(trace["otherData"]["ranks"].size(), 2u);
}

// Each arrow's place in its chain, rank and microsecond.
std::vector<std::tuple<std::string, int, double>> arrows(const Results &results) {
  std::vector<std::tuple<std::string, int, double>> found;
  const Json trace = Json::parse(report::run_trace(results, 0, 2, 3));
  for (const Json &event : trace["traceEvents"]) {
    if (event.value("cat", "") == "flow")
      found.emplace_back(event["ph"], event["tid"].get<int>() - 100, event["ts"].get<double>());
  }
  return found;
}

TEST(RunTrace, ArrowsJoinWhatTheRanksDoTogether) {
  using Arrows = std::vector<std::tuple<std::string, int, double>>;
  Results results = phases_on_two();
  EXPECT_EQ(arrows(results), (Arrows{{"s", 0, 5.0028e6}, {"f", 1, 5.0029e6}}))
      << "the middle of the exchange";
  for (RunRecord &record : results.runs[0].ranks) record.at(2, Phase::exchange) = not_measured;
  EXPECT_EQ(arrows(results), (Arrows{{"s", 0, 5.0025e6}, {"f", 1, 5.0026e6}})) << "the middle of the step";
  results.runs[0].planned.what.strategy = "async-server";
  EXPECT_EQ(arrows(results), Arrows{}) << "these ranks do not meet in a step";
}

}  // namespace
}  // namespace breakeven
