// SPDX-License-Identifier: Apache-2.0
// Successive halving on planted timings: the fastest is found, with few steps for those that are far from it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "src/autotune/halving.h"

namespace breakeven {
namespace {

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

// Batches of steps that take `seconds[candidate]`, each off by a little; steps asked for are counted.
struct Bench {
  std::vector<double> seconds;
  double noise = 0;
  std::mt19937_64 random{1};
  std::map<std::size_t, std::uint32_t> steps = {};
  std::vector<std::size_t> order = {};

  autotune::Probe probe() {
    return [this](std::size_t candidate, std::uint32_t count) {
      steps[candidate] += count;
      order.push_back(candidate);
      std::normal_distribution<double> off;
      std::vector<double> batches(5);
      for (double& batch : batches) batch = seconds[candidate] * std::exp(noise * off(random));
      return batches;
    };
  }
};

TEST(Halving, FindsTheFastestWithMostStepsForTheBest) {
  Bench bench{{5e-3, 3e-3, 9e-3, 1e-3, 1.2e-3, 7e-3, 8e-3}};
  std::vector<AutoCandidate> candidates(7);
  EXPECT_EQ(autotune::choose_by_halving(all_of(7), {10, 42}, bench.probe(), candidates), 3u);
  // 7, 4, 2 of 10, 20, 40 steps.
  EXPECT_EQ(bench.steps[3], 70u);
  EXPECT_EQ(bench.steps[4], 70u);
  EXPECT_EQ(bench.steps[1], 30u);
  EXPECT_EQ(bench.steps[0], 30u);
  EXPECT_EQ(bench.steps[2], 10u);
  EXPECT_DOUBLE_EQ(candidates[4].probed_seconds, 1.2e-3);
  EXPECT_DOUBLE_EQ(candidates[2].probed_seconds, 9e-3);
}

TEST(Halving, IsRightWithNoiseSmallerThanTheDifference) {
  int right = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Bench bench{{1.3e-3, 1.0e-3, 1.15e-3, 2e-3}, 0.05};
    bench.random.seed(seed);
    std::vector<AutoCandidate> candidates(4);
    right += autotune::choose_by_halving(all_of(4), {10, seed}, bench.probe(), candidates) == 1;
    EXPECT_TRUE(candidates[1].probed_low < candidates[1].probed_high);
  }
  EXPECT_GE(right, 195);
}

TEST(Halving, OneOutlierDoesNotChangeTheResult) {
  Bench bench{{2e-3, 1e-3}};
  std::vector<AutoCandidate> candidates(2);
  const autotune::Probe probe = [&](std::size_t candidate, std::uint32_t steps) {
    std::vector<double> batches = bench.probe()(candidate, steps);
    if (candidate == 1) batches[2] = 1.0;
    return batches;
  };
  EXPECT_EQ(autotune::choose_by_halving(all_of(2), {10, 7}, probe, candidates), 1u);
  EXPECT_DOUBLE_EQ(candidates[1].probed_seconds, 1e-3);
}

TEST(Halving, TheOrderFollowsFromTheSeed) {
  const auto order = [](std::uint64_t seed) {
    Bench bench{std::vector<double>(9, 1e-3)};
    std::vector<AutoCandidate> candidates(9);
    autotune::choose_by_halving(all_of(9), {10, seed}, bench.probe(), candidates);
    return bench.order;
  };
  EXPECT_EQ(order(3), order(3));
  EXPECT_NE(order(3), order(4));
}

TEST(Halving, ASingleCandidateIsNotProbed) {
  std::vector<AutoCandidate> candidates(3);
  const autotune::Probe probe = [](std::size_t, std::uint32_t) -> std::vector<double> {
    ADD_FAILURE() << "probed";
    return {};
  };
  EXPECT_EQ(autotune::choose_by_halving({2}, {10, 1}, probe, candidates), 2u);
  EXPECT_TRUE(std::isnan(candidates[2].probed_seconds));
}

TEST(Halving, AnUntimedCandidateLoses) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Bench bench{{infinite, 4e-3, std::nan(""), 5e-3}};
  std::vector<AutoCandidate> candidates(4);
  EXPECT_EQ(autotune::choose_by_halving(all_of(4), {10, 1}, bench.probe(), candidates), 1u);
  EXPECT_TRUE(std::isnan(candidates[0].probed_seconds));
}

TEST(WorthProbing, SkipsSurelySlowerCandidates) {
  const auto predicted = [](double seconds, double low, double high) {
    AutoCandidate candidate;
    candidate.predicted_seconds = seconds;
    candidate.predicted_low = low;
    candidate.predicted_high = high;
    return candidate;
  };
  const double unknown = std::nan("");
  EXPECT_EQ(autotune::worth_probing({predicted(3, 2, 4), predicted(6, 4.1, 8), predicted(5, 3.9, 6)}),
            (std::vector<std::size_t>{0, 2}));
  // Without bounds nothing is sure, on either side.
  EXPECT_EQ(autotune::worth_probing({predicted(3, unknown, unknown), predicted(600, 500, 700),
                                     predicted(unknown, unknown, unknown)}),
            (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace breakeven
