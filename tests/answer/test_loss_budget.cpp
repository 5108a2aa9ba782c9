// SPDX-License-Identifier: Apache-2.0
// The loss budget of made-up runs: what was planted is found in its own part, the parts add up to the whole,
// and what was not measured is claimed nowhere.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "src/analysis/file_analysis.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

constexpr double us = 1e-6;
constexpr double tolerance = 1e-12;
constexpr std::uint32_t budget_repeats = 4;
constexpr std::uint32_t batch = 128;

using PhasePlan = std::map<Phase, double>;  // seconds; those that are missing take no time

double sum_of(const PhasePlan& plan) {
  return std::accumulate(plan.begin(), plan.end(), 0.0,
                         [](double sum, const auto& phase) { return sum + phase.second; });
}

// What a test may change in the runs of `phases`.
using Change = std::function<void(RunRecord&, std::size_t rank)>;

// Runs by both instruments, `observed` longer by `phases` than by `total`.
void add_case(
    Results& results, Case what, const PhasePlan& plan, double observed,
    const Change& change = [](RunRecord&, std::size_t) {}) {
  const double step = sum_of(plan);
  for (std::uint32_t repeat = 0; repeat < budget_repeats; ++repeat) {
    what.timing = Timing::steps;
    results.runs.push_back(run_by_hand(what, repeat, step - observed));
    what.timing = Timing::phases;
    RecordedRun run = run_by_hand(what, repeat, step);
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
      for (std::uint32_t s = 0; s < run.steps; ++s) {
        for (const PhaseInfo& info : phases) {
          if (info.phase != Phase::step)
            run.ranks[rank].at(s, info.phase) = plan.contains(info.phase) ? plan.at(info.phase) : 0;
        }
      }
      run.ranks[rank].telemetry.sm_clock_hz = 2e9;
      change(run.ranks[rank], rank);
    }
    results.runs.push_back(std::move(run));
  }
}

Results with_base() {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_case(results, case_by_hand(batch, 1, "single"),
           {{Phase::forward, 300 * us}, {Phase::backward, 600 * us}, {Phase::overhead, 100 * us}}, 20 * us);
  return results;
}

void add_single_at_rows(Results& results) {
  add_case(results, case_by_hand(batch / 2, 1, "single"),
           {{Phase::forward, 200 * us}, {Phase::backward, 400 * us}, {Phase::overhead, 100 * us}}, 10 * us);
}

void add_strategy_at_rows(Results& results) {
  add_case(results, case_by_hand(batch / 2, 1, "ddp"),
           {{Phase::forward, 200 * us},
            {Phase::backward, 400 * us},
            {Phase::collect, 20 * us},
            {Phase::exchange, 5 * us},
            {Phase::optimizer, 30 * us},
            {Phase::overhead, 100 * us}},
           10 * us);
}

void add_two_gpus(
    Results& results, const std::string& strategy = "ddp",
    const Change& change = [](RunRecord&, std::size_t) {}) {
  add_case(results, case_by_hand(batch, 2, strategy),
           {{Phase::forward, 200 * us},
            {Phase::backward, 410 * us},
            {Phase::collect, 20 * us},
            {Phase::exchange, 140 * us},
            {Phase::broadcast, 10 * us},
            {Phase::wait, 40 * us},
            {Phase::optimizer, 30 * us},
            {Phase::overhead, 110 * us}},
           20 * us, change);
}

// A latency that is a quarter of the formula's time.
void add_message_times(Results& results) {
  const auto seconds = results.launches[0].message_times.of(1, 2, Collective::all_reduce);
  std::ranges::fill(seconds, 40 * us);
  seconds[0] = 10 * us;
}

analysis::LossBudget budget_of(const Results& results) {
  const analysis::FileAnalysis analysis(results);
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) return line.loss.value();
  }
  return {};
}

double sum_of_parts(const analysis::LossBudget& budget) {
  double sum = 0;
  for (const double part : budget.parts) sum += std::isfinite(part) ? part : 0;
  return sum;
}

TEST(LossBudget, EveryPartByHand) {
  Results results = with_base();
  add_single_at_rows(results);
  add_strategy_at_rows(results);
  add_two_gpus(results);
  add_message_times(results);
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_NEAR(budget.step, 940 * us, tolerance);
  EXPECT_NEAR(budget.ideal, 490 * us, tolerance);
  EXPECT_NEAR(budget.whole, 450 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::gemm_efficiency], 150 * us, tolerance) << "600 - 900 / 2";
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 50 * us, tolerance) << "650 - 600, on one GPU";
  EXPECT_NEAR(budget[analysis::LossPart::launch_gaps], 60 * us, tolerance) << "110 - 100 / 2";
  EXPECT_NEAR(budget[analysis::LossPart::exchange_latency], 37.5 * us, tolerance) << "a quarter of 150";
  EXPECT_NEAR(budget[analysis::LossPart::exchange_bandwidth], 112.5 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::waiting], 40 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::clock_drop], 0, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::timing_overhead], -10 * us, tolerance) << "20 / 2 - 20";
  EXPECT_NEAR(budget[analysis::LossPart::unexplained], 10 * us, tolerance)
      << "backward, beyond the strategy's on one GPU";
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::compute])) << "its two parts stand apart";
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::exchange]));
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
  EXPECT_TRUE(budget.by_phases);
  EXPECT_TRUE(budget.strategy_overhead_measured);
  EXPECT_FALSE(budget.explains_the_whole()) << "10 us are left, and the runs are all alike";
  EXPECT_EQ(budget.by_construction(), analysis::LossPart::unexplained);
  EXPECT_TRUE(contains(text_of(results), "- Loss budget: ")) << "so there is a warning";
}

TEST(LossBudget, TheLargestCauseHasItsPartsTogether) {
  analysis::LossBudget budget;
  EXPECT_FALSE(budget.largest_cause()) << "nothing is measured";
  budget.by_phases = true;
  budget.whole = 220 * us;
  budget.whole_half_width = 10 * us;
  budget[analysis::LossPart::gemm_efficiency] = 100 * us;
  budget[analysis::LossPart::exchange_latency] = 60 * us;
  budget[analysis::LossPart::exchange_bandwidth] = 50 * us;
  EXPECT_EQ(budget.largest_cause().value().name, "communication");
  EXPECT_NEAR(budget.largest_cause().value().seconds, 110 * us, tolerance);
  budget[analysis::LossPart::timing_overhead] = 300 * us;
  EXPECT_EQ(budget.largest_cause().value().name, "communication") << "timing overhead is no cause";
  budget.whole_half_width = 230 * us;
  EXPECT_FALSE(budget.largest_cause()) << "no loss is shown";
}

TEST(LossBudget, WithoutTheStrategyOnOneGpuStrategyOverheadIsTheDifference) {
  Results results = with_base();
  add_single_at_rows(results);
  add_two_gpus(results);
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_FALSE(budget.strategy_overhead_measured);
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 60 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::unexplained], 0, tolerance);
  EXPECT_EQ(budget.by_construction(), analysis::LossPart::strategy_overhead);
  EXPECT_NEAR(budget[analysis::LossPart::exchange], 150 * us, tolerance)
      << "no launch has measured single calls";
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::exchange_latency]));
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
}

TEST(LossBudget, WithoutRowsOrWithASplitModelComputePartsStandTogether) {
  Results without_rows = with_base();
  add_two_gpus(without_rows);
  Results split = with_base();
  add_single_at_rows(split);
  add_two_gpus(split, "tensor");
  for (const Results& results : {without_rows, split}) {
    const analysis::LossBudget budget = budget_of(results);
    EXPECT_TRUE(std::isnan(budget[analysis::LossPart::gemm_efficiency]));
    EXPECT_TRUE(std::isnan(budget[analysis::LossPart::strategy_overhead]));
    EXPECT_NEAR(budget[analysis::LossPart::compute], 210 * us, tolerance);
    EXPECT_EQ(budget.by_construction(), analysis::LossPart::compute);
    EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
  }
}

TEST(LossBudget, APlantedClockDropIsFound) {
  Results results = with_base();
  add_single_at_rows(results);
  add_two_gpus(results, "ddp", [](RunRecord& rank, std::size_t) { rank.telemetry.sm_clock_hz = 1.9e9; });
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_NEAR(budget[analysis::LossPart::clock_drop], 0.05 * 660 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 60 * us - 0.05 * 660 * us, tolerance);
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
}

TEST(LossBudget, AClockThatWasNotReadIsNotMeasured) {
  Results results = with_base();
  add_two_gpus(results, "ddp",
               [](RunRecord& rank, std::size_t) { rank.telemetry.sm_clock_hz = not_measured; });
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::clock_drop]));
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
}

// Rank 1 computes longer, and rank 0 waits for it that long.
TEST(LossBudget, APlantedWaitIsFound) {
  Results results = with_base();
  add_single_at_rows(results);
  add_two_gpus(results, "ddp", [](RunRecord& record, std::size_t rank) {
    for (std::uint32_t s = 0; s < record.steps; ++s) {
      const Phase longer = rank == 0 ? Phase::wait : Phase::forward;
      record.at(s, longer) += 100 * us;
      record.at(s, Phase::step) += 100 * us;
    }
  });
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_NEAR(budget[analysis::LossPart::waiting], 90 * us, tolerance) << "40, and 100 on one rank of two";
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 110 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::timing_overhead], -110 * us, tolerance)
      << "the runs of total did not have it";
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
}

// The step is the slowest rank's, the phases are the ranks' means.
TEST(LossBudget, RanksThatAreLateInTurnWaitForOneAnother) {
  Results results = with_base();
  add_two_gpus(results, "ddp", [](RunRecord& record, std::size_t rank) {
    for (std::uint32_t s = 0; s < record.steps; ++s) {
      if (s % 2 != rank) continue;
      record.at(s, Phase::overhead) += 30 * us;
      record.at(s, Phase::step) += 30 * us;
    }
  });
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_NEAR(budget[analysis::LossPart::waiting], 55 * us, tolerance) << "40, and 30 less the mean of 15";
  EXPECT_NEAR(budget[analysis::LossPart::launch_gaps], 75 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::unexplained], 0, tolerance);
}

TEST(LossBudget, OfTotalTimesAlone) {
  Results results = with_base();
  add_single_at_rows(results);
  add_strategy_at_rows(results);
  add_two_gpus(results);
  std::erase_if(results.runs,
                [](const RecordedRun& run) { return run.planned.what.timing == Timing::phases; });
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_FALSE(budget.by_phases);
  EXPECT_NEAR(budget[analysis::LossPart::gemm_efficiency], 200 * us, tolerance) << "690 - 980 / 2";
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 55 * us, tolerance) << "745 - 690";
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::unexplained]))
      << "195 us that nothing was recorded about";
  EXPECT_FALSE(budget.largest_cause());
  EXPECT_FALSE(budget.by_construction());
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::launch_gaps]));
  EXPECT_TRUE(std::isnan(budget[analysis::LossPart::waiting]));
  EXPECT_FALSE(budget.explains_the_whole());
}

TEST(LossBudget, TheIdealOfWeakScalingIsTheBasesStep) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_single_at_rows(results);
  Case weak = case_by_hand(batch, 2, "ddp");
  weak.scaling = Scaling::weak;
  add_case(results, weak,
           {{Phase::forward, 230 * us}, {Phase::backward, 400 * us}, {Phase::overhead, 100 * us}}, 10 * us);
  const analysis::LossBudget budget = budget_of(results);
  EXPECT_NEAR(budget.ideal, 690 * us, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::gemm_efficiency], 0, tolerance);
  EXPECT_NEAR(budget[analysis::LossPart::strategy_overhead], 30 * us, tolerance);
  EXPECT_NEAR(sum_of_parts(budget), budget.whole, tolerance);
}

TEST(LossBudget, TheWholesIntervalIsThatOfBothSteps) {
  Results results = results_by_hand();  // whose steps differ from repeat to repeat
  const analysis::FileAnalysis analysis(results);
  const analysis::CaseResult& line = analysis.groups().front().lines.front();
  const analysis::Comparison& comparison = line.comparison;
  const std::optional<analysis::LossBudget>& budget = line.loss;
  ASSERT_TRUE(budget.has_value());
  const statistics::Interval one = comparison.base_timed->step.interval;
  const statistics::Interval two = comparison.timed->step.interval;
  EXPECT_NEAR(budget->whole_half_width, std::hypot((two.high - two.low) / 2, (one.high - one.low) / 4),
              tolerance);
  EXPECT_TRUE(budget->explains_the_whole());
}

}  // namespace
}  // namespace breakeven::analysis
