// SPDX-License-Identifier: Apache-2.0
// The articles' claims on results made by hand, whose truth the test knows: each kind holds, is refuted, or
// stays open.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/analysis/case_summary.h"
#include "src/report/claims/claim_check.h"
#include "src/report/report.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

nlohmann::json claim_of(const Results& results, const std::string& key, const std::string& settings = "") {
  const auto report =
      nlohmann::json::parse(report::make_report(results, {.format = report::ReportFormat::json}));
  for (const auto& row : report["claims"])
    if (row["claim"] == key && (settings.empty() || row["settings"] == settings)) return row;
  return {};
}
std::string verdict_of(const Results& results, const std::string& key, const std::string& settings = "") {
  const auto claim = claim_of(results, key, settings);
  return claim.is_null() ? "no such claim" : claim["verdict"].get<std::string>();
}

struct Pair {
  std::uint32_t batch;
  double speedup;
};

// ddp on two against one GPU, of a model of so many parameters; its launches by two ranks over NVLink.
Results results_of(const std::string& model, std::uint64_t parameters, const std::vector<Pair>& pairs,
                   std::uint32_t repeats = 4) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (const Pair& pair : pairs) add_pair(results, pair.batch, 6.6e-3, pair.speedup, repeats);
  for (RecordedRun& run : results.runs) {
    run.planned.what.model = model;
    run.parameters = parameters;
  }
  return results;
}

Results medium_of(const std::vector<Pair>& pairs, std::uint32_t repeats = 4) {
  return results_of("medium", 258432, pairs, repeats);
}

report::Evidence evidence(double centre, double log_deviation, report::ClaimedRange claimed) {
  statistics::RatioEstimate measured{.ratio = {.centre = centre, .n = 4}, .log_deviation = log_deviation};
  const double half_width = statistics::t_quantile(4) * log_deviation / 2;
  measured.ratio.low = centre * std::exp(-half_width);
  measured.ratio.high = centre * std::exp(half_width);
  return {fmt::format("{}", centre), measured, claimed};
}

TEST(ClaimCheck, OneCaseRefutesAndAllMustAgree) {
  const report::ClaimedRange slower{0, 1};
  const std::vector<report::Evidence> all{evidence(0.8, 0.01, slower), evidence(0.9, 0.01, slower)};
  EXPECT_EQ(report::check_claim(all).verdict, report::ClaimVerdict::holds);
  EXPECT_EQ(report::check_claim(all).deciding->label, "0.9");  // the nearest to the border
  const std::vector<report::Evidence> one_not{evidence(0.8, 0.01, slower), evidence(1.2, 0.01, slower)};
  EXPECT_EQ(report::check_claim(one_not).verdict, report::ClaimVerdict::does_not_hold);
  EXPECT_EQ(report::check_claim(one_not).deciding->label, "1.2");
  const std::vector<report::Evidence> one_open{evidence(0.8, 0.01, slower), evidence(1.0, 0.01, slower)};
  EXPECT_EQ(report::check_claim(one_open).verdict, report::ClaimVerdict::not_decided);
  EXPECT_EQ(report::check_claim(one_open).agreeing, 1u);
  EXPECT_EQ(report::check_claim({}).verdict, report::ClaimVerdict::not_decided);
}

// log 1.1 is 9.5 %: half a 95 % interval is 1.59 deviations of four, at 5 % / 20 it is 5.0.
TEST(ClaimCheck, ManyCasesTakeMoreToBeRefuted) {
  const report::ClaimedRange slower{0, 1};
  std::vector<report::Evidence> many{evidence(1.1, 0.05, slower)};
  EXPECT_EQ(report::check_claim(many).verdict, report::ClaimVerdict::does_not_hold);
  while (many.size() < 20) many.push_back(evidence(0.5, 0.01, slower));
  EXPECT_EQ(report::check_claim(many).verdict, report::ClaimVerdict::not_decided);
}

TEST(ClaimCheck, NaNAndTooFewUnitsDecideNothing) {
  report::Evidence unknown = evidence(0.5, 0.01, {0, 1});
  unknown.measured.ratio.low = not_measured;
  EXPECT_EQ(report::check_claim(std::vector{unknown}).verdict, report::ClaimVerdict::not_decided);
  report::Evidence two_runs = evidence(0.5, 0.01, {0, 1});
  two_runs.measured.ratio.n = 1;
  EXPECT_EQ(report::check_claim(std::vector{two_runs}).verdict, report::ClaimVerdict::not_decided);
  report::Evidence no_deviation = evidence(1.5, 0.01, {0, 1});
  no_deviation.measured.log_deviation = not_measured;
  EXPECT_EQ(report::check_claim(std::vector{no_deviation}).verdict, report::ClaimVerdict::not_decided);
}

TEST(Claims, TheTableOfSpeedups) {
  const Results slower = medium_of({{16, 0.84}, {32, 0.80}, {128, 0.75}});
  EXPECT_EQ(verdict_of(slower, "medium_below_1"), "holds");
  EXPECT_EQ(verdict_of(slower, "medium_speedups"), "holds");
  EXPECT_EQ(claim_of(slower, "medium_below_1")["cases"], 3);
  EXPECT_EQ(verdict_of(slower, "large_below_1"), "not_decided");
  const Results faster = medium_of({{16, 0.84}, {128, 1.2}});
  EXPECT_EQ(verdict_of(faster, "medium_below_1"), "does_not_hold");
  EXPECT_NEAR(claim_of(faster, "medium_below_1")["measured"], 1.2, 0.01);
  EXPECT_EQ(verdict_of(medium_of({{16, 0.84}, {256, 1.2}}), "medium_below_1"), "holds");  // not of batch 256
}

TEST(Claims, ThresholdsByParameters) {
  EXPECT_EQ(verdict_of(medium_of({{16, 0.8}}), "below_1m"), "holds");
  EXPECT_EQ(verdict_of(medium_of({{16, 0.8}, {128, 1.3}}), "below_1m"), "does_not_hold");
  EXPECT_EQ(verdict_of(medium_of({{16, 0.8}, {128, 1.02}}), "below_1m"), "not_decided");
  EXPECT_EQ(verdict_of(results_of("1", 1'000'000, {{16, 1.5}}), "below_1m"), "not_decided");  // not of it
  EXPECT_EQ(verdict_of(results_of("1", 1'000'000, {{16, 0.8}}), "1m_to_5m_loss"), "holds");
  EXPECT_EQ(verdict_of(results_of("50", 50'000'000, {{16, 1.5}}), "above_50m"), "holds");
  EXPECT_EQ(verdict_of(results_of("50", 50'000'000, {{16, 0.5}}), "above_50m"), "does_not_hold");
  EXPECT_EQ(verdict_of(results_of("20", 20'000'000, {{32, 0.5}, {64, 1.5}}), "10m_to_50m"), "holds");
}

// The article measured batches 8 to 128 in fp32 on two GPUs. What others measure refutes no claim there.
TEST(Claims, AreJudgedAtTheSettingsOfTheirArticleFirst) {
  const Results batches = medium_of({{16, 0.8}, {128, 0.9}, {8192, 1.3}});
  EXPECT_EQ(verdict_of(batches, "below_1m", "article"), "holds");
  EXPECT_EQ(claim_of(batches, "below_1m", "article")["cases"], 2);
  EXPECT_EQ(verdict_of(batches, "below_1m", "other"), "does_not_hold");
  EXPECT_EQ(claim_of(batches, "below_1m", "other")["cases"], 1);
  Results precisions = medium_of({{16, 1.3}});
  for (RecordedRun& run : precisions.runs) run.planned.what.precision = Precision::bf16;
  EXPECT_EQ(verdict_of(precisions, "medium_below_1", "article"), "not_decided");
  EXPECT_EQ(verdict_of(precisions, "medium_below_1", "other"), "does_not_hold");
  const Results named = results_of("6", 6'000'000, {{128, 0.8}, {256, 1.2}});
  EXPECT_EQ(verdict_of(named, "breakeven_5m_to_10m", "article"), "holds") << "the claim names its batches";
}

TEST(Claims, WhatIsTypicalIsJudgedByMostCases) {
  const auto lost = [](const std::vector<Pair>& pairs) {
    return verdict_of(results_of("2", 2'000'000, pairs), "1m_to_5m_loss");
  };
  EXPECT_EQ(lost({{16, 0.8}, {32, 0.8}, {64, 0.5}}), "holds");
  EXPECT_EQ(
      claim_of(results_of("2", 2'000'000, {{16, 0.8}, {32, 0.8}, {64, 0.5}}), "1m_to_5m_loss")["agreeing"],
      2);
  EXPECT_EQ(lost({{16, 0.8}, {32, 0.5}}), "does_not_hold");
  EXPECT_EQ(lost({{16, 0.8}, {32, 0.8}, {64, 0.75}, {128, 0.75}}), "not_decided")
      << "two reach over the border";
}

TEST(Claims, BreakEvenBatchesNeedBothSides) {
  const auto verdict = [](const std::vector<Pair>& pairs) {
    return verdict_of(results_of("6", 6'000'000, pairs), "breakeven_5m_to_10m");
  };
  EXPECT_EQ(verdict({{128, 0.8}, {256, 1.2}}), "holds");
  EXPECT_EQ(verdict({{128, 0.8}}), "not_decided");
  EXPECT_EQ(verdict({{256, 1.2}}), "not_decided");
  EXPECT_EQ(verdict({{128, 0.8}, {256, 0.9}}), "does_not_hold");
  EXPECT_EQ(verdict({{128, 1.2}, {256, 1.3}}), "does_not_hold");
}

TEST(Claims, TheSelectorsRule) {
  const auto verdict = [](const std::vector<Pair>& pairs) {
    return verdict_of(results_of("20", 20'000'000, pairs), "selector");
  };
  EXPECT_EQ(verdict({{32, 0.8}, {64, 1.2}}), "holds");
  EXPECT_EQ(verdict({{32, 0.8}, {64, 0.9}}), "does_not_hold");
  EXPECT_EQ(verdict({{32, 0.8}}), "not_decided");
  EXPECT_EQ(verdict_of(results_of("6", 6'000'000, {{32, 0.8}}), "selector"), "not_decided");  // no answer
}

TEST(Claims, ScalingIsJudgedAtTheLargestBatch) {
  EXPECT_EQ(verdict_of(medium_of({{16, 0.5}, {8192, 1.6}}), "efficiency"), "holds");
  EXPECT_EQ(verdict_of(medium_of({{16, 1.6}, {8192, 1.2}}), "efficiency"), "does_not_hold");
  EXPECT_EQ(verdict_of(medium_of({{16, 1.2}, {8192, 1.4}}), "efficiency"), "not_decided");
}

// Of rank_by_hand(): exchange and wait 0.3 of the step, forward, backward and optimizer 0.6.
TEST(Claims, CommunicationOverComputation) {
  const Results half = results_of("2", 2'000'000, {{16, 0.8}});
  EXPECT_EQ(verdict_of(half, "ratio_1m_to_5m"), "does_not_hold");
  EXPECT_NEAR(claim_of(half, "ratio_1m_to_5m")["measured"], 0.5, 1e-12);
  Results results = results_of("30", 30'000'000, {{16, 0.8}});
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks)
      for (std::uint32_t step = 0; step < run.steps; ++step) rank.at(step, Phase::wait) = 0;
  EXPECT_EQ(verdict_of(results, "ratio_above_25m"), "holds");
  EXPECT_EQ(verdict_of(results, "ratio_below_1m"), "not_decided");
}

// Three launches as the machine is, three with NCCL's direct way shut, whose communication takes `times` as
// long.
Results two_links(double times, const std::string& kind = "NV18") {
  Results results;
  for (std::uint32_t launch = 0; launch < 6; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    for (Link& link : results.launches.back().topology.links)
      if (link.kind != "self") link.kind = kind;
    const bool is_shut = launch % 2 == 1;
    if (is_shut) results.launches.back().environment = {{"NCCL_P2P_DISABLE", "1"}};
    results.runs.push_back(run_by_hand(case_by_hand(16, 2, "ddp", Timing::phases), 0,
                                       (is_shut ? times * 1e-3 : 1e-3) * (1 + 0.01 * launch), launch));
    results.runs.back().planned.what.transport = Transport::nccl;
  }
  note_nccl_settings(results);
  return results;
}

TEST(Claims, LinksNeedBothInOneFile) {
  EXPECT_EQ(verdict_of(two_links(4), "nvlink"), "holds");
  EXPECT_EQ(claim_of(two_links(4), "nvlink")["settings"], "any");
  EXPECT_EQ(verdict_of(two_links(1.5), "nvlink"), "does_not_hold");
  EXPECT_EQ(verdict_of(two_links(2), "nvlink"), "not_decided");
  EXPECT_EQ(verdict_of(two_links(4, "PHB"), "nvlink"), "not_decided");
}

// Without NVLink a step takes `times` as long, and the links have `bandwidth` as much.
TEST(Claims, PcieCostsSpeedAndBandwidth) {
  EXPECT_EQ(verdict_of(two_links(1.4), "pcie_loss"), "holds");
  EXPECT_NEAR(claim_of(two_links(1.4), "pcie_loss")["measured"], 1 / 1.4, 0.01);
  EXPECT_EQ(verdict_of(two_links(1.1), "pcie_loss"), "does_not_hold");
  EXPECT_EQ(verdict_of(two_links(4), "pcie_loss"), "does_not_hold");
  EXPECT_EQ(verdict_of(two_links(1.4, "PHB"), "pcie_loss"), "not_decided");
  const auto of_bandwidth = [](double bandwidth) {
    Results results = two_links(2);
    for (std::size_t i = 0; i < results.launches.size(); ++i)
      for (Link& link : results.launches[i].topology.links)
        link.bytes_per_second *= (i % 2 == 1 ? bandwidth : 1) * (1 + 0.001 * static_cast<double>(i));
    return results;
  };
  EXPECT_EQ(verdict_of(of_bandwidth(0.15), "nvlink_bandwidth"), "holds");
  EXPECT_NEAR(claim_of(of_bandwidth(0.15), "nvlink_bandwidth")["measured"], 1 / 0.15, 0.05);
  EXPECT_EQ(verdict_of(of_bandwidth(0.5), "nvlink_bandwidth"), "does_not_hold");
  EXPECT_EQ(verdict_of(of_bandwidth(not_measured), "nvlink_bandwidth"), "not_decided");
  EXPECT_EQ(verdict_of(medium_of({{16, 0.8}}), "nvlink_bandwidth"), "not_decided") << "launches of one kind";
}

std::string claims_of(const Results& results) {
  return on_one_line(report::make_report(results, {.sections = {"claims"}}));
}

// add_pair() has phases take 1 % longer than whole steps.
TEST(Claims, RatiosOfPhasesNameATimingOverheadOverFivePercent) {
  const auto with_overhead = [](double overhead) {
    Results results = results_of("2", 2'000'000, {{16, 0.8}});
    for (RecordedRun& run : results.runs)
      if (run.planned.what.timing == Timing::phases)
        for (RunRecord& rank : run.ranks)
          for (double& seconds : rank.seconds) seconds *= (1 + overhead) / 1.01;
    return results;
  };
  EXPECT_FALSE(contains(claims_of(with_overhead(0.04)), "timing the phases"));
  EXPECT_TRUE(contains(claims_of(with_overhead(0.08)),
                       "0 of 1 cases agree; timing the phases slows these steps by up to 8.0 %"))
      << claims_of(with_overhead(0.08));
  EXPECT_NEAR(claim_of(with_overhead(0.08), "ratio_1m_to_5m")["timing_overhead"], 0.08, 1e-6);
  EXPECT_TRUE(claim_of(with_overhead(0.08), "1m_to_5m")["timing_overhead"].is_null()) << "of whole steps";
  EXPECT_TRUE(
      contains(claims_of(two_links(4)), "how much timing the phases slows the steps was not measured"));
}

TEST(Claims, LaunchesThatToldNcclDifferentThingsAreNotOneCase) {
  const Results results = two_links(4);
  const std::vector<analysis::CaseSummary> summaries = analysis::summarize_cases(results);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].what.nccl, "");
  EXPECT_EQ(summaries[1].what.nccl, "NCCL_P2P_DISABLE=1");
  EXPECT_NEAR(summaries[1].step.mean_seconds / summaries[0].step.mean_seconds, 4, 0.1);
}

TEST(Claims, WhatWasNotMeasuredIsNotDecided) {
  Results results = medium_of({{16, 0.8}, {32, 0.8}});
  for (RecordedRun& run : results.runs)
    if (run.planned.what.batch == 32) run.ranks[0].at(0, Phase::step) = not_measured;
  EXPECT_EQ(verdict_of(results, "medium_below_1"), "not_decided");
  EXPECT_EQ(claim_of(results, "medium_below_1")["agreeing"], 1);
  EXPECT_EQ(verdict_of(results, "efficiency"), "not_decided");
  for (RecordedRun& run : results.runs) run.ranks[0].at(0, Phase::forward) = not_measured;
  EXPECT_EQ(verdict_of(results, "ratio_below_1m"), "not_decided");
  EXPECT_EQ(verdict_of(medium_of({{16, 0.8}}, 2), "medium_below_1"), "not_decided");  // two repeats
}

TEST(Claims, AreCountedAndThoseThatAreDecidedAreListed) {
  const Results results = medium_of({{16, 0.8}});
  const std::string heading = "The articles' claims on this machine";
  const std::string one_claim = "\"medium, batch 16 to 128: a second GPU makes it slower\"";
  for (const report::ReportFormat format : {report::ReportFormat::text, report::ReportFormat::markdown}) {
    const std::string claims = report::make_report(results, {.format = format, .sections = {"claims"}});
    EXPECT_NE(claims.find(heading), std::string::npos);
    EXPECT_NE(claims.find(one_claim), std::string::npos);
    EXPECT_EQ(claims.find("10 to 50 M"), std::string::npos) << "no case decides it";
    EXPECT_NE(claims.find("Of 24 claims at the settings of their articles, 4 hold here"), std::string::npos)
        << claims;
  }
  Results one_gpu = results;
  std::erase_if(one_gpu.runs, [](const RecordedRun& run) { return run.planned.what.gpus > 1; });
  EXPECT_EQ(report::make_report(one_gpu, {.sections = {"all"}}).find(heading), std::string::npos);
}

}  // namespace
}  // namespace breakeven
