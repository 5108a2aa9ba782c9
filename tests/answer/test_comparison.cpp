// SPDX-License-Identifier: Apache-2.0
// Runs reduced to cases, and cases paired with their base.
#include <gtest/gtest.h>

#include <cmath>

#include "src/analysis/comparison.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

// What every test needs, in the order in which it is made; the parts point at each other.
struct Compared {
  explicit Compared(Results from)
      : results(std::move(from)),
        summaries(analysis::summarize_cases(results)),
        cases(analysis::merge_timings(summaries)) {}
  const analysis::MeasuredCase& find(std::uint32_t batch, int gpus, const std::string& strategy) const {
    for (const analysis::MeasuredCase& measured : cases) {
      const Case& what = measured.what;
      if (what.batch == batch && what.gpus == gpus && what.strategy == strategy) return measured;
    }
    throw std::out_of_range("no such case in the test's results");
  }
  analysis::Comparison compare(std::uint32_t batch) const {
    return analysis::compare_with_base(find(batch, 2, "ddp"), cases);
  }

  Results results;
  std::vector<analysis::CaseSummary> summaries;
  std::vector<analysis::MeasuredCase> cases;
};

Results with_runs(std::vector<RecordedRun> runs) {
  Results results;
  results.runs = std::move(runs);
  return results;
}

TEST(RunSummary, AStepIsAsLongAsOnTheSlowestRank) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0);
  run.ranks[1].at(2, Phase::step) = 3.0;
  run.ranks[0].at(3, Phase::step) = 2.0;
  EXPECT_EQ(analysis::step_series(run), (std::vector{1.0, 1.0, 3.0, 2.0}));
}

TEST(RunSummary, ANaNOrAMissingRankIsNotMeasured) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0);
  run.ranks[1].at(2, Phase::step) = not_measured;
  EXPECT_TRUE(std::isnan(analysis::step_series(run)[2]));
  EXPECT_EQ(analysis::step_series(run)[1], 1.0);
  run.ranks.pop_back();
  for (const double seconds : analysis::step_series(run)) EXPECT_TRUE(std::isnan(seconds));
}

TEST(RunSummary, SlowStepsOfOneRankAndOfAll) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp", Timing::phases), 0, 1.0, 0, 20);
  for (RunRecord& rank : run.ranks) {
    for (std::uint32_t step = 0; step < rank.steps; ++step) rank.at(step, Phase::step) += 0.01 * (step % 5);
  }
  for (RunRecord& rank : run.ranks) rank.at(5, Phase::step) = 10;  // all were slow of themselves
  for (RunRecord& rank : run.ranks) rank.at(9, Phase::step) = 10;
  run.ranks[0].at(9, Phase::wait) = 9.1;  // rank 0 only waited for rank 1
  const analysis::SlowSteps slow = analysis::find_slow_steps(run);
  EXPECT_DOUBLE_EQ(slow.all_ranks_share, 0.05);
  EXPECT_DOUBLE_EQ(slow.some_ranks_share, 0.05);
  run.ranks[0].at(0, Phase::step) = not_measured;
  EXPECT_TRUE(std::isnan(analysis::find_slow_steps(run).all_ranks_share));
}

// Eleven runs that hardly differ, then one that is slow on both ranks and one in which rank 0 only waited.
TEST(CaseSummary, OutlierRunsOfOneRankAndOfAll) {
  const Case what = case_by_hand(16, 2, "ddp", Timing::phases);
  std::vector<RecordedRun> runs;
  for (std::uint32_t repeat = 0; repeat < 13; ++repeat)
    runs.push_back(run_by_hand(what, repeat, 1 + 0.01 * (repeat % 5)));
  for (RunRecord& rank : runs[11].ranks) {
    for (std::uint32_t step = 0; step < rank.steps; ++step) rank.at(step, Phase::step) = 2;
  }
  for (RunRecord& rank : runs[12].ranks) {
    for (std::uint32_t step = 0; step < rank.steps; ++step) rank.at(step, Phase::step) = 2;
  }
  for (std::uint32_t step = 0; step < 4; ++step) runs[12].ranks[0].at(step, Phase::wait) = 1.1;
  const Compared compared(with_runs(runs));
  const std::optional<analysis::OutlierRuns>& found = compared.summaries.at(0).steadiness.outlier_runs;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2u);
  EXPECT_EQ(found->on_all_ranks, 1u);
  runs.erase(runs.begin(), runs.begin() + 4);  // nine are too few to say
  EXPECT_FALSE(Compared(with_runs(runs)).summaries.at(0).steadiness.outlier_runs);
}

// 10 steps of 1 s and 30 steps of 3 s: total samples over total seconds, not the mean of two rates.
TEST(CaseSummary, SpeedIsTotalSamplesOverTotalSeconds) {
  const Case what = case_by_hand(16, 1, "single");
  const Compared compared(with_runs({run_by_hand(what, 0, 1.0, 0, 10), run_by_hand(what, 1, 3.0, 0, 30)}));
  const analysis::CaseSummary& summary = compared.summaries.at(0);
  EXPECT_DOUBLE_EQ(summary.step.mean_seconds, 2.5);
  EXPECT_DOUBLE_EQ(summary.step.samples_per_second, 6.4);
  EXPECT_EQ(summary.steps, 40u);
  EXPECT_DOUBLE_EQ(summary.step.median.centre, 3.0);
}

// The speed-up is the ratio of the two speeds beside it, not of the means over all steps: launches count
// once.
TEST(Comparison, TheSpeedupIsOfItsTwoSpeeds) {
  const Case single = case_by_hand(16, 1, "single"), ddp = case_by_hand(16, 2, "ddp");
  const Compared compared(with_runs({run_by_hand(single, 0, 1.0, 0), run_by_hand(single, 1, 1.1, 0),
                                     run_by_hand(single, 0, 3.0, 1), run_by_hand(ddp, 0, 1.0, 0),
                                     run_by_hand(ddp, 1, 1.0, 0), run_by_hand(ddp, 0, 1.0, 1)}));
  const analysis::Comparison comparison = compared.compare(16);
  EXPECT_DOUBLE_EQ(comparison.samples_per_second, 16);
  EXPECT_NEAR(comparison.base_samples_per_second, 16 / std::sqrt(std::sqrt(1.0 * 1.1) * 3.0), 1e-12);
  EXPECT_NEAR(comparison.samples_per_second / comparison.base_samples_per_second,
              comparison.speedup.ratio.centre, 1e-12);
}

// Two copies in steps of 2 and 4 s: 16 samples each in 3 s on average, which none waits for.
TEST(CaseSummary, SamplesOfAllCopiesCount) {
  const Case what = case_by_hand(16, 2, "independent");
  RecordedRun run = run_by_hand(what, 0, 2.0);
  for (std::uint32_t step = 0; step < run.steps; ++step) run.ranks[1].at(step, Phase::step) = 4.0;
  run.ranks[0].telemetry.energy_joules = run.ranks[1].telemetry.energy_joules = 64;
  const Compared compared(with_runs({run_by_hand(case_by_hand(16, 1, "single"), 0, 2.0), run}));
  const analysis::CaseSummary& summary = *compared.find(16, 2, "independent").total;
  EXPECT_DOUBLE_EQ(summary.step.mean_seconds, 3.0);
  EXPECT_DOUBLE_EQ(summary.step.samples_per_second, 32 / 3.0);
  EXPECT_DOUBLE_EQ(summary.readings.energy.joules.centre, 128 / (4 * 32.0));
  const analysis::Comparison comparison =
      analysis::compare_with_base(compared.find(16, 2, "independent"), compared.cases);
  EXPECT_DOUBLE_EQ(comparison.speedup.ratio.centre, (32 / 3.0) / (16 / 2.0));
}

TEST(CaseSummary, PhasesAreMeansOverRanksAndByRank) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp", Timing::phases), 0, 1.0);
  for (std::uint32_t step = 0; step < run.steps; ++step) run.ranks[1].at(step, Phase::wait) = 0.5;
  const Compared compared(with_runs({run}));
  const analysis::PhaseTimes& times = compared.summaries.at(0).phases;
  EXPECT_DOUBLE_EQ(times.by_rank.at(0)[index_of(Phase::wait)], 0.1);
  EXPECT_DOUBLE_EQ(times.by_rank.at(1)[index_of(Phase::wait)], 0.5);
  EXPECT_DOUBLE_EQ(times.mean[index_of(Phase::wait)], 0.3);
}

TEST(CaseSummary, RunsNotDoneCountInThePlanAlone) {
  Results results = results_by_hand();
  results.runs[0].status = RunStatus::planned;
  results.runs[0].ranks.clear();
  const Compared compared(std::move(results));
  const analysis::CaseSummary& summary = *compared.find(16, 1, "single").total;
  EXPECT_EQ(summary.planned.size(), 4u);
  EXPECT_EQ(summary.done.size(), 3u);
  EXPECT_TRUE(std::isfinite(summary.step.mean_seconds));
  EXPECT_EQ(compared.compare(16).unpaired_runs, 1u);
  EXPECT_EQ(compared.compare(16).speedup.ratio.n, 3u);
}

TEST(CaseSummary, ReadingsOfAllRanksAndRuns) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0);  // 4 steps of 16 samples
  run.ranks[0].telemetry.energy_joules = 100;
  run.ranks[1].telemetry.energy_joules = 28;
  run.ranks[0].telemetry.throttle_reasons = 0x4;
  run.ranks[1].telemetry.throttle_reasons = 0x20;
  run.ranks[1].peak_memory_bytes = 5e6;
  const Compared compared(with_runs({run}));
  const analysis::Readings& readings = compared.summaries.at(0).readings;
  EXPECT_DOUBLE_EQ(readings.energy.joules.centre, 2.0);
  EXPECT_DOUBLE_EQ(readings.throttle_reasons, 0x24);
  EXPECT_DOUBLE_EQ(readings.peak_memory_bytes, 5e6);
  EXPECT_TRUE(std::isnan(readings.utilization_percent));
}

TEST(CaseSummary, ClocksThatDisagreeAreCountedAndSoAreUnreadOnes) {
  const Case what = case_by_hand(16, 1, "single");
  std::vector<RecordedRun> runs;
  for (std::uint32_t repeat = 0; repeat < 3; ++repeat) runs.push_back(run_by_hand(what, repeat, 1.0));
  runs[1].ranks[0].steps_host_seconds = 1.03 * runs[1].ranks[0].steps_device_seconds;
  const Compared two_agree(with_runs(runs));
  EXPECT_EQ(two_agree.summaries.at(0).steadiness.clock_disagreements, 1u);
  runs[2].ranks[0].steps_host_seconds = not_measured;
  const Compared one_agrees(with_runs(runs));
  EXPECT_EQ(one_agrees.summaries.at(0).steadiness.clock_disagreements, 2u);
}

// The base drifts by 30 % over the blocks; pairing takes that out, so that the interval is narrow.
TEST(Comparison, BlocksArePaired) {
  const Compared compared(results_by_hand());
  const analysis::Comparison slow = compared.compare(16);
  EXPECT_NEAR(slow.speedup.ratio.centre, 0.74, 0.005);
  EXPECT_LT(slow.speedup.ratio.high - slow.speedup.ratio.low, 0.02);
  EXPECT_EQ(slow.decision.verdict, statistics::Payoff::does_not_pay);
  EXPECT_NEAR(slow.efficiency, 0.37, 0.005);
  EXPECT_EQ(compared.compare(64).decision.verdict, statistics::Payoff::same);
  EXPECT_EQ(compared.compare(128).decision.verdict, statistics::Payoff::pays);
}

TEST(Comparison, TimingOverheadIsPhasesOverTotal) {
  const Compared compared(results_by_hand());
  EXPECT_NEAR(compared.find(16, 2, "ddp").timing_overhead(), 0.01, 1e-9);
}

TEST(Comparison, OneNaNMakesTheCaseUnmeasured) {
  for (const bool in_base : {true, false}) {
    Results results = results_by_hand();
    for (RecordedRun& run : results.runs) {
      const Case& what = run.planned.what;
      if (what.batch == 128 && (what.gpus == 1) == in_base && run.planned.repeat == 2) {
        run.ranks.back().at(1, Phase::step) = not_measured;
      }
    }
    const Compared compared(std::move(results));
    EXPECT_EQ(compared.compare(128).decision.verdict, statistics::Payoff::not_measured);
    EXPECT_EQ(compared.compare(16).decision.verdict, statistics::Payoff::does_not_pay);
  }
}

TEST(Comparison, WithoutABaseThereIsNoVerdict) {
  const Compared compared(with_runs({run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0)}));
  const analysis::Comparison comparison = compared.compare(16);
  EXPECT_EQ(comparison.base, nullptr);
  EXPECT_EQ(comparison.decision.verdict, statistics::Payoff::not_measured);
  EXPECT_TRUE(std::isnan(comparison.efficiency));
}

TEST(Comparison, OtherSettingsAreNoBase) {
  for (const int axis : {0, 1, 2, 3, 4}) {
    Case other = case_by_hand(16, 1, "single");
    if (axis == 0) other.model = "large";
    if (axis == 1) other.gemm = GemmKernel::cublas;
    if (axis == 2) other.graph = false;
    if (axis == 3) other.data = DataPlacement::streamed;
    if (axis == 4) other.batch = 8;
    const Compared compared(
        with_runs({run_by_hand(other, 0, 1.0), run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0)}));
    EXPECT_EQ(compared.compare(16).base, nullptr) << "axis " << axis;
  }
}

// Weak scaling: 32 samples on two GPUs against 16 on one; as long a step is twice the samples.
// A step that cannot be a graph is held against the best single GPU, whose step is one.
TEST(Comparison, NoGraphIsNoExcuseWhereThereCanBeNone) {
  Case single = case_by_hand(16, 1, "single");
  single.graph = false;
  Case best = single;
  best.graph = true;
  Case server = case_by_hand(16, 2, "async-server");
  server.graph = false;
  Case ddp = case_by_hand(16, 2, "ddp");
  ddp.graph = false;
  const Compared compared(with_runs({run_by_hand(best, 0, 1.0), run_by_hand(single, 0, 2.0),
                                     run_by_hand(server, 0, 4.0), run_by_hand(ddp, 0, 4.0)}));
  const auto base_of = [&](const std::string& strategy) {
    return analysis::find_base(compared.find(16, 2, strategy), compared.cases);
  };
  ASSERT_NE(base_of("async-server"), nullptr);
  EXPECT_TRUE(base_of("async-server")->what.graph);
  ASSERT_NE(base_of("ddp"), nullptr);
  EXPECT_FALSE(base_of("ddp")->what.graph);
}

TEST(Comparison, WeakScalingComparesTheBatchPerGpu) {
  Case weak = case_by_hand(32, 2, "ddp");
  weak.scaling = Scaling::weak;
  Results results;
  for (std::uint32_t repeat = 0; repeat < 3; ++repeat) {
    results.runs.push_back(run_by_hand(case_by_hand(16, 1, "single"), repeat, 1.0));
    results.runs.push_back(run_by_hand(weak, repeat, 1.0));
  }
  const Compared compared(std::move(results));
  EXPECT_DOUBLE_EQ(compared.compare(32).speedup.ratio.centre, 2.0);
  EXPECT_DOUBLE_EQ(compared.compare(32).efficiency, 1.0);
}

TEST(Comparison, LaunchesAreBlocksOfTheirOwn) {
  Results results;
  for (std::uint32_t launch = 0; launch < 3; ++launch) {
    results.runs.push_back(run_by_hand(case_by_hand(16, 1, "single"), 0, 1.0 + launch, launch));
    results.runs.push_back(run_by_hand(case_by_hand(16, 2, "ddp"), 0, (1.0 + launch) / 2, launch));
  }
  const Compared compared(std::move(results));
  EXPECT_EQ(compared.compare(16).speedup.ratio.n, 3u);
  EXPECT_DOUBLE_EQ(compared.compare(16).speedup.ratio.low, 2.0);
}

TEST(Comparison, PhasesAloneStillCompare) {
  Results results = results_by_hand();
  std::erase_if(results.runs,
                [](const RecordedRun& run) { return run.planned.what.timing == Timing::steps; });
  const Compared compared(std::move(results));
  EXPECT_EQ(compared.compare(128).decision.verdict, statistics::Payoff::pays);
  EXPECT_EQ(compared.compare(128).timed->what.timing, Timing::phases);
  EXPECT_TRUE(std::isnan(compared.find(128, 2, "ddp").timing_overhead()));
}

}  // namespace
}  // namespace breakeven::analysis
