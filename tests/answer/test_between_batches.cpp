// SPDX-License-Identifier: Apache-2.0
// Advice for models and strategies without a formula: measured batches, and straight lines between them.
#include "src/predict/between_batches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/advisor.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

Case recorded_case(std::uint32_t batch, int gpus) {
  Case what = case_by_hand(batch, gpus, gpus > 1 ? "pytorch-ddp" : "single");
  what.model = "gpt2-small";
  what.gemm = Level<GemmKernel>("pytorch");
  what.graph = false;
  return what;
}

// Seconds that are a power of the batch lie on a straight line of logarithms; at `bend` they take `factor`
// times as long.
Results recorded_curve(std::uint32_t bend = 0, double factor = 1) {
  Results results;
  for (std::uint32_t launch = 0; launch < 3; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    for (const std::uint32_t batch : {16u, 64u, 256u, 1024u}) {
      const double off = batch == bend ? factor : 1;
      results.runs.push_back(
          run_by_hand(recorded_case(batch, 1), 0, 1e-3 * std::pow(batch, 0.7) * off, launch));
      results.runs.push_back(
          run_by_hand(recorded_case(batch, 2), 0, 4e-3 * std::pow(batch, 0.4) * off, launch));
    }
  }
  return results;
}

TEST(BetweenBatches, LiesOnTheLineBetweenTwoMeasuredBatches) {
  const Results results = recorded_curve();
  const analysis::FileAnalysis analysis(results);
  const predict::BetweenBatches between(analysis);
  const auto found = between.predict(recorded_case(128, 2));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->seconds, 4e-3 * std::pow(128, 0.4), 1e-12);
  EXPECT_EQ(found->basis, predict::Basis::interpolated);
  EXPECT_EQ(between.errors().known().size(), 4u) << "two inner batches on one GPU, and on two";
  EXPECT_NEAR(found->high / found->low, 1, 1e-9) << "no error where all batches lie on the line";
}

TEST(BetweenBatches, SaysNothingBeyondTheMeasuredBatchesOrOfOtherConfigurations) {
  const Results results = recorded_curve();
  const analysis::FileAnalysis analysis(results);
  const predict::BetweenBatches between(analysis);
  EXPECT_FALSE(between.predict(recorded_case(15, 2)));
  EXPECT_FALSE(between.predict(recorded_case(1025, 1)));
  Case other = recorded_case(128, 2);
  other.strategy = "pytorch-fsdp";
  EXPECT_FALSE(between.predict(other));
}

// A hiccup in one launch: its batch's mean has no interval, so nothing beside it has one.
TEST(BetweenBatches, HasNoBoundsBesideABatchWhoseIntervalIsNotKnown) {
  Results results = recorded_curve();
  for (RecordedRun& run : results.runs)
    if (run.launch == 0 && run.planned.what.batch == 64)
      for (RunRecord& rank : run.ranks)
        for (double& seconds : rank.seconds) seconds *= 20;
  const analysis::FileAnalysis analysis(results);
  const predict::BetweenBatches between(analysis);
  const auto beside = between.predict(recorded_case(128, 2)), away = between.predict(recorded_case(512, 2));
  ASSERT_TRUE(beside && away);
  EXPECT_FALSE(beside->interval().has_bounds());
  EXPECT_TRUE(away->interval().has_bounds());
  const predict::Advisor advisor(analysis);
  predict::Query query;
  query.model = "gpt2-small";
  query.batch = 64;
  for (const predict::Configuration& config : advisor.configurations(query)) {
    EXPECT_FALSE(config.seconds.has_bounds());
    EXPECT_NE(config.decision.verdict, statistics::Payoff::pays);
  }
}

TEST(BetweenBatches, BoundsAreAsWideAsItsErrors) {
  const Results results = recorded_curve(64, 1.3);
  const analysis::FileAnalysis analysis(results);
  const predict::BetweenBatches between(analysis);
  // A bend at 64 is an error of 0.262 there, and of half of it at 256, where it is a neighbour; on 1 and 2
  // GPUs.
  const double rms = std::log(1.3) * std::sqrt((1 + 0.25) / 2);
  // Its neighbours are half as far away in the logarithm as those of a batch that was held out.
  const double nearer = std::sqrt(0.5);
  const auto found = between.predict(recorded_case(128, 1));
  EXPECT_NEAR(std::log(found->high / found->seconds), statistics::t_quantile(5) * rms * nearer, 1e-9);
}

TEST(BetweenBatches, LeavesCasesWithAFormulaToTheStepModel) {
  const Results results = results_by_hand();
  const analysis::FileAnalysis analysis(results);
  EXPECT_TRUE(has_formula(results.runs.front().planned.what));
  EXPECT_TRUE(predict::BetweenBatches(analysis).is_empty());
}

TEST(BetweenBatches, AnAdvisorComparesAllConfigurations) {
  const Results results = recorded_curve();
  const analysis::FileAnalysis analysis(results);
  const predict::Advisor advisor(analysis);
  predict::Query query;
  query.model = "gpt2-small";
  query.batch = 128;
  const auto ways = advisor.configurations(query);
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways.front().what.strategy, "pytorch-ddp") << "4e-3 * 128^0.4 is less than 1e-3 * 128^0.7";
  EXPECT_NEAR(ways.front().speedup.centre, std::pow(128, 0.3) / 4, 1e-9);
  EXPECT_TRUE(ways.front().fits);
  EXPECT_EQ(advisor.parameters_of("gpt2-small"), 258432u);
  query.batch = 64;
  EXPECT_TRUE(advisor.configurations(query).front().is_measured);
  query.only_predicted = true;
  EXPECT_TRUE(advisor.configurations(query).empty()) << "nothing is known of other links";
}

}  // namespace
}  // namespace breakeven
