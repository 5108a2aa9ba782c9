// SPDX-License-Identifier: Apache-2.0
// How often intervals hold the truth: 93 to 97 % of the time for a nominal 95, on series whose truth is
// known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/analysis/step_times.h"
#include "src/statistics/autocorrelation.h"
#include "src/statistics/interval.h"
#include "src/statistics/paired_ratio.h"
#include "src/statistics/sample.h"
#include "tests/support/near.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr std::uint32_t coverage_replications = 2000;

TEST(EffectiveSampleSize, OfSeriesByFormula) {
  for (const double rho : {0.0, 0.3, 0.6, 0.9}) {
    double total = 0;
    for (std::uint32_t i = 0; i < 20; ++i)
      total += statistics::effective_sample_size(autoregressive(20000, rho, i, 0));
    const double expected = 20000 * (1 - rho) / (1 + rho);
    EXPECT_TRUE(near(total / 20, expected, 0.1 * expected)) << rho;
  }
}

TEST(EffectiveSampleSize, OfOddSeries) {
  EXPECT_EQ(statistics::effective_sample_size(std::vector<double>(50, 2.0)), 50);
  EXPECT_EQ(statistics::effective_sample_size(std::vector<double>(50, 0.1)), 50) << "its mean is not 0.1";
  std::vector<double> to_and_fro(50);
  for (std::size_t i = 0; i < 50; ++i) to_and_fro[i] = i % 2 == 0 ? 1 : 2;
  EXPECT_EQ(statistics::effective_sample_size(to_and_fro), 50);
  EXPECT_TRUE(std::isnan(statistics::effective_sample_size(std::vector{1.0, 2.0, 3.0})));
  EXPECT_TRUE(std::isnan(statistics::effective_sample_size(std::vector{1.0, 2.0, std::nan(""), 3.0})));
}

TEST(BatchMeans, BatchesAreNeighboursAndNothingIsLost) {
  std::vector<double> values(23);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const auto batches = statistics::batches_of(values, 5);
  ASSERT_EQ(batches.size(), 5u);
  double next = 0;
  for (const auto batch : batches) {
    EXPECT_TRUE(batch.size() == 4 || batch.size() == 5);
    for (const double value : batch) EXPECT_EQ(value, next++);
  }
  EXPECT_EQ(next, 23);
  EXPECT_TRUE(statistics::batches_of(values, 0).empty());
}

// As summarize_steps() makes it of one run.
statistics::Interval batch_means_interval(std::span<const double> series) {
  std::vector<double> means;
  for (const auto batch : statistics::batches_of(series, statistics::batch_count(series)))
    means.push_back(statistics::mean(batch));
  return statistics::mean_interval(means);
}

// One run alone. The more alike its steps, the more it takes: at 0.9, about 2000 steps.
TEST(Coverage, BatchMeansOfOneRun) {
  struct Series {
    double rho;
    std::size_t steps;
  };
  for (const auto& [rho, steps] :
       {Series{0, 100}, Series{0, 400}, Series{0.3, 400}, Series{0.6, 400}, Series{0.9, 2000}}) {
    EXPECT_TRUE(as_promised(share_of(coverage_replications, [&](std::uint32_t i) {
      return holds(batch_means_interval(autoregressive(steps, rho, i, 0)), 0);
    }))) << rho;
  }
}

// Steps taken as independent would not do, which is why they are not.
TEST(Coverage, StepsAsIfIndependentPromiseTooMuch) {
  EXPECT_LE(share_of(coverage_replications,
                     [](std::uint32_t i) {
                       return holds(statistics::mean_interval(autoregressive(400, 0.6, i, 0)), 0);
                     }),
            0.75);
}

TEST(Coverage, AShortRunOfAlikeStepsHasNoInterval) {
  const double share = share_of(coverage_replications, [](std::uint32_t i) {
    return batch_means_interval(autoregressive(100, 0.9, i, 0)).has_bounds();
  });
  EXPECT_LE(share, 0.01);
}

// Over runs, each of them 100 steps that are alike.
TEST(Coverage, QuantilesOverRuns) {
  struct Quantile {
    double q;
    double truth;  // of a standard normal
    std::uint32_t runs;
  };
  for (const auto& [q, truth, runs] :
       {Quantile{0.5, 0, 5}, Quantile{0.5, 0, 50}, Quantile{0.95, 1.6448536, 10},
        Quantile{0.95, 1.6448536, 50}, Quantile{0.99, 2.3263479, 50}}) {
    EXPECT_TRUE(as_promised(share_of(1000,
                                     [&](std::uint32_t i) {
                                       std::vector<statistics::Cluster> clusters;
                                       for (std::uint32_t run = 0; run < runs; ++run)
                                         clusters.push_back(autoregressive(100, 0.6, i, run));
                                       return holds(statistics::quantile_interval(clusters, q), truth);
                                     })))
        << q << ' ' << runs;
  }
}

TEST(Coverage, TooFewValuesForAQuantileHaveNoInterval) {
  std::vector<statistics::Cluster> clusters;
  for (std::uint32_t run = 0; run < 19; ++run) clusters.push_back(autoregressive(100, 0, 0, run));
  EXPECT_FALSE(statistics::quantile_interval(clusters, 0.99).has_bounds());
  EXPECT_TRUE(statistics::quantile_interval(clusters, 0.95).has_bounds());
  clusters.push_back(autoregressive(100, 0, 0, 19));
  EXPECT_TRUE(statistics::quantile_interval(clusters, 0.99).has_bounds());
  clusters[3][7] = std::nan("");
  EXPECT_FALSE(statistics::quantile_interval(clusters, 0.5).has_bounds());
}

// Half of the steps take a tenth longer, at random.
TEST(Coverage, TwoModes) {
  EXPECT_TRUE(as_promised(share_of(coverage_replications, [](std::uint32_t i) {
    std::vector<double> seconds(200);
    for (std::uint32_t step = 0; step < 200; ++step) {
      seconds[step] = (uniform(i, 0, step) < 0.5 ? 1.0 : 1.1) + 0.005 * normal(i, 1, step);
    }
    return holds(batch_means_interval(seconds), 1.05);
  })));
}

// Launches differ by half as much as the steps of one do, and runs of one launch a little.
std::vector<RecordedRun> runs_of_launches(std::uint32_t launches, std::uint32_t repeats, double rho,
                                          std::uint32_t replication) {
  std::vector<RecordedRun> runs;
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    const double shared = 0.02 * normal(replication, 1000, launch);
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
      const std::uint32_t number = launch * repeats + repeat;
      RecordedRun run = run_by_hand(case_by_hand(16, 1, "single"), repeat, 1, launch, 100);
      const std::vector<double> noise = autoregressive(100, rho, replication, number);
      const double own = 0.005 * normal(replication, 1001, number);
      for (std::uint32_t step = 0; step < 100; ++step)
        run.ranks[0].at(step, Phase::step) = 1 + shared + own + 0.04 * noise[step];
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

analysis::StepTimes times_of(const std::vector<RecordedRun>& runs) {
  std::vector<const RecordedRun*> done;
  for (const RecordedRun& run : runs) done.push_back(&run);
  return analysis::summarize_steps(done, 16);
}

TEST(Coverage, LaunchesAreTheUnitWhereThereAreSeveral) {
  for (const double rho : {0.0, 0.6}) {
    EXPECT_TRUE(as_promised(share_of(1000, [&](std::uint32_t i) {
      const analysis::StepTimes times = times_of(runs_of_launches(5, 3, rho, i));
      return times.unit == statistics::SamplingUnit::launch && holds(times.interval, 1);
    }))) << rho;
  }
}

// The interval of one launch holds that launch's own mean, and says so by its unit.
TEST(Coverage, RunsOfOneLaunchCoverThatLaunch) {
  double of_all = 0;
  const double share = share_of(1000, [&](std::uint32_t i) {
    const analysis::StepTimes times = times_of(runs_of_launches(1, 5, 0.3, i));
    of_all += holds(times.interval, 1) ? 0.001 : 0;
    return times.unit == statistics::SamplingUnit::run &&
           holds(times.interval, 1 + 0.02 * normal(i, 1000, 0));
  });
  EXPECT_TRUE(as_promised(share));
  EXPECT_LE(of_all, 0.5);
}

TEST(StepTimes, TwoLaunchesHaveNoInterval) {
  const analysis::StepTimes times = times_of(runs_of_launches(2, 10, 0, 0));
  EXPECT_EQ(times.unit, statistics::SamplingUnit::launch);
  EXPECT_FALSE(times.interval.has_bounds());
  EXPECT_TRUE(std::isfinite(times.mean_seconds));
}

TEST(StepTimes, ALateWarmUpIsSetAsideAndCounted) {
  std::vector<RecordedRun> runs = runs_of_launches(1, 3, 0, 0);
  for (std::uint32_t step = 0; step < 30; ++step) runs[1].ranks[0].at(step, Phase::step) *= 1.5;
  const analysis::StepTimes times = times_of(runs);
  EXPECT_EQ(times.late_warmup_runs, 1u);
  EXPECT_TRUE(near(static_cast<double>(times.set_aside_steps), 30, 2));
  EXPECT_TRUE(near(times.mean_seconds, 1, 0.05));
  EXPECT_GT(times.whole_mean_seconds, 1.04 * times.mean_seconds);
  EXPECT_EQ(times.judged_runs, 3u);
  EXPECT_LE(times.effective_steps, 270);
}

TEST(StepTimes, WhatDriftsIsUsedWholeAndCounted) {
  std::vector<RecordedRun> runs = runs_of_launches(1, 3, 0, 0);
  for (std::uint32_t step = 0; step < 100; ++step) runs[2].ranks[0].at(step, Phase::step) *= 1 + 0.005 * step;
  const analysis::StepTimes times = times_of(runs);
  EXPECT_EQ(times.not_steady_runs, 1u);
  EXPECT_EQ(times.set_aside_steps, 0u);
  EXPECT_DOUBLE_EQ(times.mean_seconds, times.whole_mean_seconds);
}

}  // namespace
}  // namespace breakeven
