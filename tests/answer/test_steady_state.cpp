// SPDX-License-Identifier: Apache-2.0
// Change points, MSER-5, and the answer made of them: planted warm-ups are found within a few steps, none is
// seen where there is none, and what never becomes steady is said to.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/change_points.h"
#include "src/statistics/outliers.h"
#include "src/statistics/steady_state.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr std::uint32_t steady_replications = 400;

// Every segmentation, tried out; for few values.
double cheapest(std::span<const double> values, const statistics::ChangePointOptions& options) {
  double least = std::numeric_limits<double>::infinity();
  const auto cost = [&](std::span<const double> segment) {
    const double m = static_cast<double>(segment.size());
    double level = 0;
    for (const double value : segment) level += value / m;
    double variance = 0;
    for (const double value : segment) variance += (value - level) * (value - level) / m;
    const double spread = std::max(variance, options.least_variance);
    return m * (std::log(2 * std::numbers::pi * spread) + variance / spread);
  };
  for (unsigned borders = 0; borders < 1u << (values.size() - 1); ++borders) {
    double total = -options.penalty;
    std::size_t begin = 0;
    for (std::size_t end = 1; end <= values.size(); ++end) {
      if (end < values.size() && (borders >> (end - 1) & 1u) == 0) continue;
      total += end - begin < options.shortest ? std::numeric_limits<double>::infinity()
                                              : cost(values.subspan(begin, end - begin)) + options.penalty;
      begin = end;
    }
    least = std::min(least, total);
  }
  return least;
}

double cost_of(std::span<const double> values, const std::vector<std::size_t>& changes,
               const statistics::ChangePointOptions& options) {
  double total = options.penalty * static_cast<double>(changes.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i] : values.size();
    statistics::ChangePointOptions one = options;
    one.shortest = end - begin;  // this segment alone
    total += cheapest(values.subspan(begin, end - begin), one);
    begin = end;
  }
  return total;
}

TEST(ChangePoints, AreTheBestOfAllSegmentations) {
  for (const std::size_t shortest : {2u, 3u, 4u}) {
    const statistics::ChangePointOptions options{.penalty = 3, .least_variance = 1e-4, .shortest = shortest};
    for (std::uint32_t i = 0; i < 30; ++i) {
      std::vector<double> values = autoregressive(13, 0.3, i, 0);
      for (std::size_t step = 7; step < values.size(); ++step) values[step] += i % 4;
      const std::vector<std::size_t> changes = statistics::change_points(values, options);
      EXPECT_TRUE(near(cost_of(values, changes, options), cheapest(values, options), 1e-9)) << i;
    }
  }
}

TEST(ChangePoints, EqualValuesHaveNone) {
  EXPECT_TRUE(statistics::change_points(std::vector<double>(50, 3.0), {.penalty = 1, .least_variance = 1e-6})
                  .empty());
  EXPECT_TRUE(
      statistics::change_points(std::vector{1.0, 2.0, 3.0}, {.penalty = 0, .least_variance = 1e-6}).empty());
}

TEST(Mser5, TruncatesWhatIsHigher) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i < 15 ? 9.0 : 5.0) + 0.1 * (i % 3);
  EXPECT_EQ(statistics::mser5_truncation(values), 15u);
  EXPECT_EQ(statistics::mser5_truncation(std::vector<double>(40, 1.0)), 0u);
}

TEST(WithoutSpikes, SpikesGoAndLevelsStay) {
  std::vector<double> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i < 20 ? 2.0 : 1.0) + 0.01 * (i % 3);
  std::vector<double> spiked = values;
  spiked[30] = 50;
  spiked[31] = 40;
  const std::vector<double> cleaned = statistics::without_spikes(spiked);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_TRUE(near(cleaned[i], values[i], 0.03)) << i;
  EXPECT_EQ(statistics::without_spikes(values)[19], values[19]);
  EXPECT_EQ(statistics::without_spikes(values)[20], values[20]);
}

bool sees_a_warm_up(std::size_t steps, double rho, std::uint32_t replication) {
  const statistics::SteadyState found =
      statistics::find_steady_state(made_up_steps(steps, rho, 0.03, replication, 0));
  return found.verdict != statistics::SteadyVerdict::steady || found.first > 0;
}

TEST(SteadyState, NoneIsSeenWhereThereIsNone) {
  for (const std::size_t steps : {40u, 100u, 400u}) {
    for (const double rho : {0.0, 0.3, 0.6, 0.9}) {
      const double share =
          share_of(steady_replications, [&](std::uint32_t i) { return sees_a_warm_up(steps, rho, i); });
      EXPECT_LE(share, 0.05) << steps << " steps, rho " << rho;
    }
  }
}

// `times` as long for `late` steps, then as ever; found to within three steps.
bool finds(std::size_t late, double times, double rho, std::uint32_t replication) {
  std::vector<double> seconds = made_up_steps(200, rho, 0.03, replication, 0);
  for (std::size_t step = 0; step < late; ++step) seconds[step] *= times;
  const statistics::SteadyState found = statistics::find_steady_state(seconds);
  const double off = std::abs(static_cast<double>(found.first) - static_cast<double>(late));
  return found.verdict == statistics::SteadyVerdict::steady && off <= 3;
}

TEST(SteadyState, APlantedWarmUpIsFoundWithinAFewSteps) {
  for (const double rho : {0.0, 0.3, 0.6}) {
    const double times = rho < 0.5 ? 1.25 : 1.6;  // the more alike the steps, the more is needed to stand out
    for (const std::size_t late : {10u, 30u, 80u}) {
      const double share =
          share_of(steady_replications, [&](std::uint32_t i) { return finds(late, times, rho, i); });
      EXPECT_GE(share, 0.95) << late << " steps, rho " << rho;
    }
  }
}

// Half of the steps in one mode, half in the other, in random order: steady, and no warm-up.
TEST(SteadyState, TwoModesAreSteady) {
  const double share = share_of(steady_replications, [](std::uint32_t i) {
    std::vector<double> seconds = made_up_steps(100, 0, 0.01, i, 0);
    for (std::uint32_t step = 0; step < seconds.size(); ++step)
      if (uniform(i, 1, step) < 0.5) seconds[step] *= 1.2;
    const statistics::SteadyState found = statistics::find_steady_state(seconds);
    return found.verdict == statistics::SteadyVerdict::steady && found.first == 0;
  });
  EXPECT_GE(share, 0.95);
}

TEST(SteadyState, WhatDriftsIsNotSteady) {
  for (const double whole : {0.1, -0.1, 0.3}) {
    const double share = share_of(steady_replications, [&](std::uint32_t i) {
      std::vector<double> seconds = made_up_steps(100, 0.3, 0.01, i, 0);
      for (std::size_t step = 0; step < seconds.size(); ++step) seconds[step] *= 1 + whole * step / 100;
      return statistics::find_steady_state(seconds).verdict == statistics::SteadyVerdict::not_steady;
    });
    EXPECT_GE(share, 0.95) << whole;
  }
}

// Slow from three fifths on: neither part is more than half of what was measured and follows the other.
TEST(SteadyState, AChangeInTheSecondHalfIsNotSteady) {
  const double share = share_of(steady_replications, [](std::uint32_t i) {
    std::vector<double> seconds = made_up_steps(100, 0.3, 0.02, i, 0);
    for (std::size_t step = 60; step < 100; ++step) seconds[step] *= 1.3;
    return statistics::find_steady_state(seconds).verdict == statistics::SteadyVerdict::not_steady;
  });
  EXPECT_GE(share, 0.95);
}

TEST(SteadyState, WhatCannotBeJudgedIsNot) {
  std::vector<double> seconds(statistics::fewest_for_quarters - 1, 1.0);
  EXPECT_EQ(statistics::find_steady_state(seconds).verdict, statistics::SteadyVerdict::not_judged);
  EXPECT_FALSE(statistics::quarters_agree(seconds, 0.02));
  while (seconds.size() <= statistics::fewest_for_change_points) {
    seconds.push_back(1.0);
    EXPECT_EQ(statistics::find_steady_state(seconds).verdict, statistics::SteadyVerdict::steady);
  }
  EXPECT_FALSE(statistics::find_steady_state(seconds).mser_disagrees);
  for (const double bad : {std::nan(""), 0.0, -1.0}) {
    seconds[3] = bad;
    EXPECT_EQ(statistics::find_steady_state(seconds).verdict, statistics::SteadyVerdict::not_judged);
  }
}

double share_refused(std::size_t steps, double rho, double spread) {
  return share_of(2000, [=](std::uint32_t i) {
    const std::vector<double> seconds = made_up_steps(steps, rho, spread, i, 7);
    return statistics::find_steady_state(seconds).verdict == statistics::SteadyVerdict::not_steady;
  });
}

TEST(Quarters, OfSteadyRunsAgree) {
  for (const std::size_t steps : {8u, 20u, 39u}) {
    EXPECT_EQ(share_refused(steps, 0.3, 0.003), 0) << steps;
    for (const double spread : {0.01, 0.02, 0.05, 0.2})
      EXPECT_LE(share_refused(steps, 0, spread), 0.01) << steps;
  }
  EXPECT_LE(share_refused(20, 0.3, 0.05), 0.07);
  EXPECT_LE(share_refused(20, 0.6, 0.05), 0.40);
}

// Measured on an H200 whose power limit began to act: 0.5 s of one GPU in 20 records, over the last.
const std::vector<std::vector<double>> under_power_limit{
    {0.996, 1.036, 1.097, 1.186, 1.197, 1.179, 1.141, 1.084, 1.046, 1.040,
     1.018, 1.010, 1.007, 1.007, 1.006, 1.006, 1.006, 1.006, 1.006, 1.000},
    {1.034, 1.095, 1.116, 1.131, 1.112, 1.086, 1.072, 1.053, 1.040, 1.021,
     1.013, 1.015, 1.016, 1.011, 1.003, 1.004, 1.008, 1.000, 1.001, 1.000},
    {0.953, 0.951, 0.952, 0.951, 0.952, 0.954, 0.958, 0.960, 0.960, 0.960,
     0.960, 0.959, 0.968, 0.989, 1.079, 1.090, 1.073, 1.041, 1.013, 1.000}};

TEST(Quarters, OfRunsUnderAPowerLimitDiffer) {
  for (const std::vector<double>& seconds : under_power_limit) {
    EXPECT_EQ(statistics::find_steady_state(seconds).verdict, statistics::SteadyVerdict::not_steady);
    EXPECT_TRUE(statistics::quarters_agree(seconds, 0.2));
  }
}

TEST(Quarters, OfARampDifferOnceItIsSteeperThanTheTolerance) {
  const auto refused = [](double rise) {
    return share_of(steady_replications, [=](std::uint32_t i) {
      std::vector<double> seconds = made_up_steps(20, 0, 0.002, i, 3);
      for (std::size_t step = 0; step < 20; ++step)
        seconds[step] *= 1 + rise * static_cast<double>(step) / 19;
      return !statistics::quarters_agree(seconds, 0.02);
    });
  };
  EXPECT_LE(refused(0.02), 0.02);
  EXPECT_GE(refused(0.04), 0.98);
}

// 10,000 steps are judged in groups of five.
TEST(SteadyState, LongRunsAreJudgedCoarsely) {
  std::vector<double> seconds = made_up_steps(10000, 0.3, 0.03, 0, 0);
  for (std::size_t step = 0; step < 2000; ++step) seconds[step] *= 1.1;
  const statistics::SteadyState found = statistics::find_steady_state(seconds);
  EXPECT_EQ(found.verdict, statistics::SteadyVerdict::steady);
  EXPECT_TRUE(near(static_cast<double>(found.first), 2000, 10));
}

}  // namespace
}  // namespace breakeven
