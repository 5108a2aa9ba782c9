// SPDX-License-Identifier: Apache-2.0
// Every epoch is a permutation of the samples, and no two epochs or seeds have the same.
#include "kernels/sample_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace breakeven {
namespace {

std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t samples) {
  std::vector<std::uint32_t> order(samples);
  for (std::uint32_t i = 0; i < samples; ++i) order[i] = sample_at(seed, epoch * samples + i, samples);
  return order;
}

TEST(SampleOrder, EveryEpochIsAPermutation) {
  for (const std::uint32_t samples : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 63u, 64u, 65u, 799u, 1000u, 4097u}) {
    std::vector<std::uint32_t> identity(samples);
    std::iota(identity.begin(), identity.end(), 0u);
    for (const std::uint64_t epoch : {0, 1, 2, 77}) {
      std::vector<std::uint32_t> order = epoch_order(5, epoch, samples);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, identity) << samples << " samples, epoch " << epoch;
    }
  }
}

TEST(SampleOrder, EpochsAndSeedsDiffer) {
  const std::vector<std::uint32_t> order = epoch_order(5, 0, 799);
  EXPECT_NE(order, epoch_order(5, 1, 799));
  EXPECT_NE(order, epoch_order(6, 0, 799));
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(SampleOrder, PlacesOfOneSampleAreSpread) {
  // Where sample 0 stands in 400 epochs: its mean place is that of a uniform draw, within five deviations.
  constexpr std::uint32_t samples = 101;
  constexpr int epochs = 400;
  double sum = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const std::vector<std::uint32_t> order = epoch_order(9, static_cast<std::uint64_t>(epoch), samples);
    sum += static_cast<double>(std::find(order.begin(), order.end(), 0u) - order.begin());
  }
  const double deviation = samples / std::sqrt(12.0 * epochs);
  EXPECT_LE(std::abs(sum / epochs - (samples - 1) / 2.0), 5 * deviation);
}

TEST(SampleOrder, NeighboursAreUnrelated) {
  // The serial correlation of an order is that of independent draws, within five deviations; for sizes just
  // under, at and just over a power of two.
  for (const std::uint32_t samples : {4000u, 4096u, 4100u, 60000u}) {
    for (const std::uint64_t epoch : {0, 1, 2, 3}) {
      const std::vector<std::uint32_t> order = epoch_order(7, epoch, samples);
      const double middle = (samples - 1) / 2.0;
      double sum = 0;
      for (std::uint32_t i = 0; i + 1 < samples; ++i) sum += (order[i] - middle) * (order[i + 1] - middle);
      const double variance = (static_cast<double>(samples) * samples - 1) / 12;
      EXPECT_LE(std::abs(sum / (samples - 1) / variance), 5 / std::sqrt(static_cast<double>(samples)))
          << samples;
    }
  }
}

TEST(SampleOrder, PositionsPastFourBillionWork) {
  constexpr std::uint32_t samples = 1u << 20;
  EXPECT_LT(sample_at(5, std::uint64_t{1} << 40, samples), samples);
  EXPECT_LT(sample_at(5, 12345, 1u << 30), 1u << 30);
}

}  // namespace
}  // namespace breakeven
