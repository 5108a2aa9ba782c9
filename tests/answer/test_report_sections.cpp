// SPDX-License-Identifier: Apache-2.0
// What a report shows: in brief what one reads, on demand each section in whole, and of the cases those asked
// for, with the same verdicts.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "src/report/sections/report_sections.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// Every strategy of a list at every batch, the first of them faster than one GPU from batch 64 on.
Results many_ways(std::size_t ways) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (const std::uint32_t batch : {16u, 32u, 64u, 128u}) {
    for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
      const double noise = 1 + 1e-3 * repeat;
      results.runs.push_back(run_by_hand(case_by_hand(batch, 1, "single"), repeat, 8e-3 * noise));
      for (std::size_t way = 0; way < ways; ++way) {
        const double seconds = way == 0 && batch >= 64 ? 5e-3 : 12e-3;
        results.runs.push_back(
            run_by_hand(case_by_hand(batch, 2, "ddp:buckets=" + std::to_string(way + 1) + "MB"), repeat,
                        seconds * noise));
      }
    }
  }
  return results;
}

TEST(ReportSections, EveryNameIsOneSectionAndPrintsInWhole) {
  const std::vector<std::string> names = report::section_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  const Results results = results_by_hand();
  const std::string all = report::make_report(results, {.sections = {"all"}});
  EXPECT_FALSE(contains(all, "--sections"));
  for (const std::string name : {"speed", "steps", "communication", "timelines", "measurement", "merits"}) {
    const std::string one = report::make_report(results, {.sections = {name}});
    EXPECT_LT(one.size(), all.size()) << name;
    std::istringstream lines(one);
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(contains(all, line)) << name << ": " << line;
  }
  const std::string two = report::make_report(results, {.sections = {"answers", "provenance"}});
  EXPECT_TRUE(contains(two, "ddp on 2 GPUs pays"));
  EXPECT_TRUE(contains(two, "Provenance"));
  EXPECT_FALSE(contains(two, "Speed:"));
  EXPECT_FALSE(contains(two, "medium has 258,432 parameters"));  // no heading over nothing
}

TEST(ReportSections, AnEndlessPhaseHasABarThatEnds) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks)
      for (std::uint32_t step = 0; step < run.steps; ++step)
        rank.at(step, Phase::overhead) = std::numeric_limits<double>::infinity();
  EXPECT_LT(report::make_report(results, {.sections = {"timelines"}}).size(), 100'000u);
}

TEST(ReportSections, InBriefStandsWhatOneReadsAndTheNamesOfTheRest) {
  const std::string brief = on_one_line(report::make_report(results_by_hand(), {}));
  for (const std::string part : {"ddp: slower up to batch", "Speed: one GPU against more"})
    EXPECT_TRUE(contains(brief, part)) << part;
  for (const std::string part : {"Break-even:", "Timelines", "FOM ", "Quality of measurement", "Provenance"})
    EXPECT_FALSE(contains(brief, part)) << part;
  const std::size_t more = brief.find("--sections NAME,NAME,...");
  ASSERT_NE(more, std::string::npos);
  for (const std::string name : {"timelines", "fom", "measurement", "provenance"})
    EXPECT_TRUE(contains(brief.substr(more), name)) << name;
  EXPECT_FALSE(contains(brief.substr(more), "time-to-quality"));  // of a file that has none
}

bool holds_every_line(const std::string& text, const std::string& part) {
  std::istringstream lines(part);
  for (std::string line; std::getline(lines, line);)
    if (!contains(text, line)) return false;
  return true;
}

// By what is printed: a section is listed where it has something to print that the brief report lacks.
void expect_omissions_listed(const Results& results, report::ReportRequest request) {
  request.sections = {"none"};
  const std::string frame = report::make_report(results, request);
  request.sections = {};
  const std::string brief = report::make_report(results, request);
  const std::size_t more = brief.find("\nMore\n");
  ASSERT_NE(more, std::string::npos);
  const std::string listed = on_one_line(brief.substr(more));
  for (const std::string& name : report::section_names()) {
    if (name == "warnings" || name == "missing") continue;  // say themselves what they leave out
    request.sections = {name};
    const std::string whole = report::make_report(results, request);
    const bool is_left_out = whole != frame && !holds_every_line(brief, whole);
    EXPECT_EQ(contains(listed, " " + name + ",") || contains(listed, " " + name + "."), is_left_out) << name;
  }
}

TEST(ReportSections, WhatBriefLeavesOutIsListed) {
  Results one_gpu;
  one_gpu.launches.push_back(launch_by_hand(1));
  one_gpu.runs.push_back(run_by_hand(case_by_hand(16, 1, "single"), 0, 8e-3));
  Results nothing;
  nothing.launches.push_back(launch_by_hand(1));
  for (const Results& results :
       {results_by_hand(), many_ways(1), many_ways(2), many_ways(25), one_gpu, nothing}) {
    expect_omissions_listed(results, {});
    expect_omissions_listed(results, {.memory_limit_bytes = 1 << 30, .price_an_hour = 2.5});
    expect_omissions_listed(results, {.shown = {.words = {{Axis::batch, {"64"}}}}});
  }
}

TEST(ReportSections, ManyWaysAreASentenceAndARowEach) {
  const std::string brief = report::make_report(many_ways(25), {.format = report::ReportFormat::markdown});
  EXPECT_LE(lines_of(brief), 60u);
  EXPECT_TRUE(
      contains(brief, "the fastest of 25 configurations: slower up to batch 32, faster from batch 64 ("))
      << brief;
  EXPECT_FALSE(contains(brief, "| ddp:buckets=1MB on 2 |")) << "too many rows";
  const std::string rows = report::make_report(many_ways(5), {.format = report::ReportFormat::markdown});
  EXPECT_TRUE(contains(rows, "| ddp:buckets=1MB on 2 | 0.67 - | 0.67 - | 1.60 + | 1.60 + |")) << rows;
  EXPECT_TRUE(contains(rows, "Shortened above: ")) << rows;
  const std::string whole = report::make_report(
      many_ways(25), {.format = report::ReportFormat::markdown, .sections = {"answers", "speed"}});
  EXPECT_TRUE(contains(whole, "ddp:buckets=25MB on 2 GPUs pays"));
}

TEST(ReportSections, AHeadlineNamesOurTransport) {
  Results results = many_ways(2);
  for (RecordedRun& run : results.runs) {
    if (run.planned.what.strategy == "ddp:buckets=2MB")
      run.planned.what.strategy = "ddp:buckets=1MB";
    else if (run.planned.what.gpus > 1)
      run.planned.what.transport = Transport::peer;
  }
  EXPECT_TRUE(contains(on_one_line(report::make_report(results, {})), "; ddp:buckets=1MB, peer at 64 1.60"))
      << report::make_report(results, {});
}

TEST(ReportSections, AnAnswerSaysWhatMostOfTheLossGoesTo) {
  const std::string whole = report::make_report(
      results_by_hand(), {.format = report::ReportFormat::markdown, .sections = {"answers"}});
  EXPECT_TRUE(contains(
      whole, "At batch 16, 63 % of each step is lost against perfect scaling; 43 % of that loss is comput"));
}

TEST(ReportSections, ShownCasesKeepTheirVerdicts) {
  const Results results = many_ways(3);
  const analysis::ShownCases shown{{{Axis::batch, {"64"}}, {Axis::strategy, {"ddp:buckets=1MB"}}}};
  const std::string text = report::make_report(results, {.sections = {"speed", "steps"}, .shown = shown});
  EXPECT_TRUE(contains(text, "--batches 64 --strategies ddp:buckets=1MB"));
  EXPECT_TRUE(contains(text, "1.600 (1.600–1.600)"));
  EXPECT_FALSE(contains(text, "buckets=2MB"));
  EXPECT_FALSE(contains(text, "\n  128  "));
  EXPECT_TRUE(contains(text, "single on 1"));
}

TEST(ReportSections, AWordThatNoCaseHasIsRefusedWithThoseThereAre) {
  const Results results = many_ways(1);
  EXPECT_EQ(analysis::problem_of({{{Axis::model, {"medium"}}, {Axis::batch, {"16", "128"}}}}, results), "");
  EXPECT_EQ(analysis::problem_of({{{Axis::batch, {"17"}}}}, results),
            "--batches '17' is not in this file. It has 16, 32, 64, 128");
}

}  // namespace
}  // namespace breakeven
