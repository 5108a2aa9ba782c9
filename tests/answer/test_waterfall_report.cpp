// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/waterfall_report.h"

#include <map>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "src/report/trace/run_trace.h"
#include "tests/support/nodes_by_hand.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

using Json = nlohmann::json;

// The kernels of one stream overlap, as with programmatic launches; the exchange has a stream of its own.
const std::vector<MadeNode> step{{"load", 0, 4000},
                                 {"gemm forward <1>", 3500, 9000},
                                 {"exchange", 6000, 20000, 8},
                                 {"update", 21500, 24000}};

TracedRank rank_by_hand(std::uint32_t steps) {
  TracedRank rank;
  rank.untraced_seconds = 29e-6;
  rank.traced_seconds = 30e-6;
  rank.record = RunRecord(steps);
  for (std::uint32_t i = 0; i < steps; ++i) {
    rank.record.start_seconds[i] = 30e-6 * i;
    rank.record.at(i, Phase::step) = 30e-6;
  }
  rank.recording.nodes = replays(step, steps, 30000);
  return rank;
}

report::KernelTrace two_ranks() {
  return report::make_kernel_trace(launch_by_hand(2), "large b128 2x ddp",
                                   {rank_by_hand(5), rank_by_hand(5)});
}

TEST(WaterfallReport, TextShowsTheMedianStepOfEachRank) {
  const std::string text = waterfall_report(two_ranks(), report::ReportFormat::text);
  for (const char* const words :
       {"Kernels of large b128 2x ddp", "29.0 µs", "30.0 µs",
        "Node by node, in µs: the median step of rank 0", "Sums by kind, in µs: the median step of rank 1",
        "21.50", "gemm forward <1>", "1.50"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST(WaterfallReport, JsonHasEveryNodeAndTheMedianStepsPartsAreItsLength) {
  const Json json = Json::parse(waterfall_report(two_ranks(), report::ReportFormat::json));
  EXPECT_EQ(json["format"], "breakeven kernel trace");
  ASSERT_EQ(json["nodes"].size(), 2u * 5 * step.size());
  double parts = 0;
  for (const Json& node : json["nodes"]) {
    if (node["rank"] == 1 && node["in_median_step"])
      parts += node["gap_seconds"].get<double>() + node["adds_seconds"].get<double>();
  }
  EXPECT_NEAR(parts, 24e-6, 1e-12);  // the step's 30 us without the 6 us after its last node
  double sums = 0;
  for (const Json& sum : json["sums"]) sums += sum["adds_seconds"].get<double>();
  EXPECT_NEAR(sums, 2 * 22.5e-6, 1e-12);
}

TEST(WaterfallReport, NodesWithoutStepsAreWrittenAndSaid) {
  TracedRank rank = rank_by_hand(5);
  rank.recording.nodes.resize(4 * step.size());
  const report::KernelTrace trace = report::make_kernel_trace(launch_by_hand(1), "case", {rank});
  EXPECT_NE(problem_of(trace).find("4 launches of a graph, but the run made 5"), std::string::npos)
      << problem_of(trace);
  const Json json = Json::parse(waterfall_report(trace, report::ReportFormat::json));
  ASSERT_EQ(json["nodes"].size(), 4 * step.size());
  EXPECT_TRUE(json["nodes"][0]["step"].is_null());
  EXPECT_NE(waterfall_report(trace, report::ReportFormat::text).find("cannot be assigned"),
            std::string::npos);
}

TEST(WaterfallReport, LostRecordsAreSaid) {
  report::KernelTrace trace = two_ranks();
  EXPECT_EQ(problem_of(trace), "");
  trace.ranks[1].recording.dropped = 3;
  EXPECT_NE(problem_of(trace).find("lost 3 records of rank 1"), std::string::npos);
}

TEST(WaterfallReport, TheTimelineHasARowForEachStreamInWhichNothingOverlaps) {
  const report::KernelTrace trace = two_ranks();
  Results results;
  results.launches.push_back(trace.launch);
  results.runs.push_back(run_by_hand(case_by_hand(64, 2, "ddp"), 0, 30e-6));
  results.runs[0].ranks = {trace.ranks[0].record, trace.ranks[1].record};
  results.runs[0].steps = 5;
  const std::vector<NodeRecording> kernels{trace.ranks[0].recording, trace.ranks[1].recording};
  const Json timeline = Json::parse(report::run_trace(results, 0, 0, 5, kernels));
  std::map<int, double> ends;
  std::size_t slices = 0;
  for (const Json& event : timeline["traceEvents"]) {
    if (event["ph"] != "X" || event["cat"] != "kernel") continue;
    ++slices;
    double& end = ends[event["tid"]];
    EXPECT_LE(end, event["ts"].get<double>() + 1e-9) << event;
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
  EXPECT_EQ(slices, 2u * 5 * step.size());
  EXPECT_EQ(ends.size(), 2u * 3);  // stream 7 in two rows, stream 8 in one
}

}  // namespace
}  // namespace breakeven
