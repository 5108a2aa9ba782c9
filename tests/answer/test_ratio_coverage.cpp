// SPDX-License-Identifier: Apache-2.0
// How often intervals of speed-ups hold the truth, and the bootstrap beside closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/statistics/interval.h"
#include "src/statistics/paired_ratio.h"
#include "src/statistics/sample.h"
#include "tests/support/near.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr double truth = 0.74;

// Blocks differ by 30 %, which both sides share; launches move the ratio by half of what blocks do.
std::vector<statistics::PairedBlock> blocks_of(std::uint32_t launches, std::uint32_t repeats,
                                               double launch_spread, std::uint32_t replication) {
  std::vector<statistics::PairedBlock> blocks;
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
      const std::uint32_t number = launch * repeats + repeat;
      const double base =
          std::exp(0.3 * normal(replication, 0, number) + 0.03 * normal(replication, 1, number));
      const double own =
          std::exp(0.3 * normal(replication, 0, number) + 0.05 * normal(replication, 2, number) +
                   launch_spread * normal(replication, 3, launch)) /
          truth;
      blocks.push_back({launch, repeat, base / own});
    }
  }
  return blocks;
}

TEST(RatioCoverage, LaunchesAreTheUnitWhereThereAreSeveral) {
  for (const std::uint32_t launches : {3u, 5u, 12u}) {
    EXPECT_TRUE(as_promised(share_of(1000, [&](std::uint32_t i) {
      const statistics::RatioEstimate estimate = statistics::estimate_paired(blocks_of(launches, 4, 0.03, i));
      return estimate.unit == statistics::SamplingUnit::launch && estimate.ratio.n == launches &&
             holds(estimate.ratio, truth);
    }))) << launches;
  }
}

TEST(RatioCoverage, BlocksAreTheUnitInOneLaunch) {
  for (const std::uint32_t repeats : {3u, 5u, 10u, 50u}) {
    EXPECT_TRUE(as_promised(share_of(1000, [&](std::uint32_t i) {
      const statistics::RatioEstimate estimate = statistics::estimate_paired(blocks_of(1, repeats, 0, i));
      return estimate.unit == statistics::SamplingUnit::run && holds(estimate.ratio, truth);
    }))) << repeats;
  }
}

TEST(RatioCoverage, OneRunOfEachCoversTheseTwo) {
  for (const double rho : {0.0, 0.6}) {
    EXPECT_TRUE(as_promised(share_of(1000, [&](std::uint32_t i) {
      std::vector<double> base = made_up_steps(400, rho, 0.05, i, 0);
      std::vector<double> other = made_up_steps(400, rho, 0.02, i, 1);
      for (double& seconds : base) seconds *= 3 / std::exp(0.05 * 0.05 / 2);
      for (double& seconds : other) seconds *= 2 / std::exp(0.02 * 0.02 / 2);
      const statistics::RatioEstimate estimate = statistics::estimate_from_two_runs(other, base, 1);
      return estimate.unit == statistics::SamplingUnit::batch && holds(estimate.ratio, 1.5);
    }))) << rho;
  }
}

TEST(RatioCoverage, UnpairedByWelch) {
  EXPECT_TRUE(as_promised(share_of(2000, [](std::uint32_t i) {
    std::vector<double> one;
    std::vector<double> other;
    for (std::uint32_t k = 0; k < 4; ++k) one.push_back(1 + 0.1 * normal(i, 0, k));
    for (std::uint32_t k = 0; k < 9; ++k) other.push_back(0.8 + 0.3 * normal(i, 1, k));
    return holds(statistics::welch_difference(one, other).difference, 0.2);
  })));
}

// Of ratios that are skewed, where Student's t promises too much, the bootstrap does no worse.
TEST(RatioCoverage, BootstrapOfSkewedValues) {
  double by_t = 0;
  const double share = share_of(1000, [&](std::uint32_t i) {
    std::vector<double> values;
    for (std::uint32_t k = 0; k < 50; ++k)
      values.push_back(std::exp(0.7 * normal(i, 0, k)) - std::exp(0.245));
    by_t += holds(statistics::mean_interval(values), 0) ? 0.001 : 0;
    return holds(statistics::bootstrap_mean_interval(values), 0);
  });
  EXPECT_GE(share, by_t - 0.005);
  EXPECT_GE(share, 0.92);
}

// Fieller's interval of a ratio of means, paired (Fieller, JRSS B 16, 1954): the roots of
// (a - r b)^2 = t^2 (s_aa - 2 r s_ab + r^2 s_bb) / n.
statistics::Interval fieller(const std::vector<double>& numerators, const std::vector<double>& denominators) {
  const double n = static_cast<double>(numerators.size());
  const double a = statistics::mean(numerators);
  const double b = statistics::mean(denominators);
  double aa = 0;
  double ab = 0;
  double bb = 0;
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    aa += (numerators[i] - a) * (numerators[i] - a) / (n - 1) / n;
    ab += (numerators[i] - a) * (denominators[i] - b) / (n - 1) / n;
    bb += (denominators[i] - b) * (denominators[i] - b) / (n - 1) / n;
  }
  const double t2 = statistics::t_quantile(numerators.size()) * statistics::t_quantile(numerators.size());
  const double p = b * b - t2 * bb;
  const double q = a * b - t2 * ab;
  const double root = std::sqrt(q * q - p * (a * a - t2 * aa));
  return {.centre = a / b, .low = (q - root) / p, .high = (q + root) / p, .n = numerators.size()};
}

// Three ways to the same interval: bootstrap of logarithms, Student's t of them, Fieller of the times.
TEST(RatioCoverage, BootstrapAgreesWithClosedForms) {
  for (std::uint32_t i = 0; i < 20; ++i) {
    std::vector<double> base;
    std::vector<double> other;
    std::vector<double> logs;
    for (std::uint32_t block = 0; block < 40; ++block) {
      base.push_back(1 + 0.03 * normal(i, 0, block));
      other.push_back((1 + 0.04 * normal(i, 1, block)) / 0.8);
      logs.push_back(std::log(base.back() / other.back()));
    }
    const statistics::Interval bootstrapped = statistics::estimate_ratio([&] {
                                                std::vector<double> ratios;
                                                for (const double log : logs) ratios.push_back(std::exp(log));
                                                return ratios;
                                              }())
                                                  .ratio;
    const statistics::Interval by_t = statistics::mean_interval(logs);
    const statistics::Interval by_fieller = fieller(base, other);
    const double width = bootstrapped.high - bootstrapped.low;
    EXPECT_TRUE(near(bootstrapped.low, std::exp(by_t.low), 0.1 * width)) << i;
    EXPECT_TRUE(near(bootstrapped.high, std::exp(by_t.high), 0.1 * width)) << i;
    EXPECT_TRUE(near(bootstrapped.low, by_fieller.low, 0.15 * width)) << i;
    EXPECT_TRUE(near(bootstrapped.high, by_fieller.high, 0.15 * width)) << i;
  }
}

TEST(Bootstrap, IsTheSameEveryTimeAndNeedsTen) {
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 12; ++i) values.push_back(normal(0, 0, i));
  const statistics::Interval once = statistics::bootstrap_mean_interval(values);
  const statistics::Interval again = statistics::bootstrap_mean_interval(values);
  EXPECT_EQ(once.low, again.low);
  EXPECT_EQ(once.high, again.high);
  EXPECT_TRUE(once.has_bounds());
  EXPECT_FALSE(statistics::bootstrap_mean_interval(std::span(values).first(9)).has_bounds());
  values[5] = std::nan("");
  EXPECT_FALSE(statistics::bootstrap_mean_interval(values).has_bounds());
}

}  // namespace
}  // namespace breakeven
