// SPDX-License-Identifier: Apache-2.0
// Losses that are not numbers, repeats and replicas that differ in a bit are found, and such a case has no
// speed.
#include "src/analysis/file_analysis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// Three repeats of ddp on two GPUs, each in a launch of its own.
Results repeats_of(const std::string& strategy) {
  Results results;
  for (std::uint32_t launch = 0; launch < 3; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    results.runs.push_back(run_by_hand(case_by_hand(16, 2, strategy), 0, 1e-3, launch));
    for (RunRecord& rank : results.runs.back().ranks)
      for (std::uint32_t step = 0; step < rank.steps; ++step) rank.loss[step] = 2.0 / (1 + step);
  }
  return results;
}

using analysis::NumberFault;
NumberFault fault_in(const Results& results) { return analysis::summarize_cases(results).front().fault; }

TEST(NumberFault, RepeatsThatAgreeAreRight) {
  const Results results = repeats_of("ddp");
  EXPECT_EQ(fault_in(results), NumberFault::none);
  EXPECT_EQ(analysis::summarize_cases(results).front().done.size(), 3u);
}

TEST(NumberFault, FindsOneLossThatIsOff) {
  for (const double error : {0.7, 1e-15}) {
    Results results = repeats_of("ddp");
    results.runs[1].ranks[1].loss[2] += error;
    EXPECT_EQ(fault_in(results), NumberFault::repeats_differ) << error;
  }
}

TEST(NumberFault, FindsALossThatIsNotANumberAtAnyStep) {
  for (const std::uint32_t step : {0u, 1u, 3u}) {
    Results results = repeats_of("ddp");
    results.runs[2].ranks[0].loss[step] = std::nan("");
    EXPECT_EQ(fault_in(results), NumberFault::loss_not_a_number) << step;
  }
}

TEST(NumberFault, OnlyAScaledLossMayBeInfinite) {
  for (const auto& [precision, expected] : {std::pair{Precision::fp16, NumberFault::none},
                                            std::pair{Precision::bf16, NumberFault::loss_not_a_number},
                                            std::pair{Precision::fp32, NumberFault::loss_not_a_number}}) {
    Results results = repeats_of("ddp");
    for (RecordedRun& run : results.runs) {
      run.planned.what.precision = precision;
      run.ranks[0].loss[1] = std::numeric_limits<double>::infinity();
    }
    EXPECT_EQ(fault_in(results), expected) << info_of(precision).name;
    for (Launch& launch : results.launches)
      launch.settings = {{"recorder", "0.1.0"}, {"recorded-loss", "first steps"}};
    EXPECT_EQ(fault_in(results), NumberFault::none) << "another program may scale it";
  }
}

TEST(NumberFault, OtherSeedsAreOtherNumbers) {
  Results results = repeats_of("ddp");
  results.launches[1].settings.emplace_back("seed", "7");
  results.runs[1].ranks[0].loss[2] += 0.7;
  EXPECT_EQ(fault_in(results), NumberFault::none);
}

TEST(NumberFault, AStrategyThatPromisesNoBitsIsNotHeldToThem) {
  Results results = repeats_of("async-server");
  results.runs[1].ranks[0].loss[2] += 0.7;
  EXPECT_EQ(fault_in(results), NumberFault::none);
}

Results recorded_by_a_program(const std::string& losses) {
  Results results = repeats_of("ddp");
  for (Launch& launch : results.launches)
    launch.settings = {{"recorder", "0.1.0"}, {"recorded-loss", losses}};
  return results;
}

TEST(NumberFault, OtherProgramsPromiseNoBits) {
  Results results = recorded_by_a_program("first steps");
  results.runs[1].ranks[0].loss[2] += 0.7;
  EXPECT_EQ(fault_in(results), NumberFault::none);
  results.runs[1].ranks[0].loss[2] = std::nan("");
  EXPECT_EQ(fault_in(results), NumberFault::loss_not_a_number);
}

TEST(NumberFault, OtherProgramsRecordTheLastLossOnlyOrNone) {
  Results results = recorded_by_a_program("last step");
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.loss.assign(rank.steps, not_measured);
      rank.last_loss = 1;
    }
  }
  EXPECT_EQ(fault_in(results), NumberFault::none);
  results.runs[2].ranks[1].last_loss = std::nan("");
  EXPECT_EQ(fault_in(results), NumberFault::loss_not_a_number);
  for (Launch& launch : results.launches) launch.settings.back().second = "none";
  EXPECT_EQ(fault_in(results), NumberFault::none);
}

void set_checksums(RecordedRun& run, const std::vector<double>& sums) {
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) run.ranks[rank].weights_checksum = sums[rank];
}

TEST(NumberFault, FindsReplicasThatDiffer) {
  Results results = repeats_of("ddp");
  set_checksums(results.runs[0], {5, 5});
  set_checksums(results.runs[1], {6, 6});  // after another number of steps
  EXPECT_EQ(fault_in(results), NumberFault::none);
  for (const double wrong : {7.0, not_measured}) {
    set_checksums(results.runs[1], {6, wrong});
    EXPECT_EQ(fault_in(results), NumberFault::replicas_differ) << wrong;
  }
}

TEST(NumberFault, OnlyRanksWithTheSamePartAreReplicas) {
  for (const auto& [strategy, sums, expected] :
       {std::tuple{"hybrid:tensor=2", std::vector<double>{1, 2, 1, 2}, NumberFault::none},
        std::tuple{"hybrid:tensor=2", std::vector<double>{1, 2, 1, 1}, NumberFault::replicas_differ},
        std::tuple{"zero1", std::vector<double>{1, 1, 1, 2}, NumberFault::replicas_differ},
        std::tuple{"tensor", std::vector<double>{1, 2, 3, 4}, NumberFault::none},
        std::tuple{"local-sgd", std::vector<double>{1, 2, 3, 4}, NumberFault::none}}) {
    Results results;
    results.launches.push_back(launch_by_hand(4));
    results.runs.push_back(run_by_hand(case_by_hand(16, 4, strategy), 0, 1e-3));
    set_checksums(results.runs[0], sums);
    EXPECT_EQ(fault_in(results), expected) << strategy;
  }
}

// Neither timing: they are one case.
TEST(NumberFault, ACaseWithAFaultHasNoSpeed) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_pair(results, 16, 1e-3, 1.5);
  results.runs[1].ranks[0].loss[2] = std::nan("");
  const analysis::FileAnalysis file(results);
  for (const analysis::CaseSummary& summary : file.summaries()) {
    const bool wrong = summary.what.gpus == 2;
    EXPECT_EQ(summary.fault == NumberFault::loss_not_a_number, wrong);
    EXPECT_EQ(summary.done.empty(), wrong);
    EXPECT_EQ(std::isnan(summary.step.mean_seconds), wrong);
    EXPECT_EQ(std::isnan(summary.step.samples_per_second), wrong);
  }
  for (const analysis::CaseResult& line : file.groups().front().lines)
    EXPECT_TRUE(std::isnan(line.comparison.speedup.ratio.centre));
}

}  // namespace
}  // namespace breakeven
