// SPDX-License-Identifier: Apache-2.0
// Starting parameters and the synthetic data set: the bits that the formulas give, on every device.
#include "kernels/synthetic.h"
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr std::uint64_t seed = 0xfeedfacecafe;

class RandomFill : public DeviceTest {
 protected:
  static Table uniform(std::uint64_t seed_value, std::uint32_t layer, float bound, const Extent& extent) {
    const DeviceMatrix w(device(), stream(), Table(extent.rows, extent.cols, 99.0), extent.padding);
    device().fill_uniform(seed_value, layer, bound, w.view(), stream());
    return w.download();
  }
};

TEST_F(RandomFill, UniformHasTheBitsOfTheFormula) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const Table w = uniform(seed, 3, 0.0353f, extent);
    for (std::int64_t row = 0; row < extent.rows; ++row) {
      for (std::int64_t col = 0; col < extent.cols; ++col) {
        const std::uint32_t word =
            random_word(seed, RandomUse::parameters, 0, 3, static_cast<std::uint32_t>(row),
                        static_cast<std::uint32_t>(col));
        ASSERT_EQ(w.at(row, col), uniform_within(word, 0.0353f)) << row << ", " << col;
      }
    }
  }
}

TEST_F(RandomFill, UniformOfAPartIsThatOfTheWhole) {
  const Table whole = uniform(seed, 3, 0.5f, {65, 127, Padding::to_16_bytes});
  const DeviceMatrix part(device(), stream(), Table(40, 103), Padding::to_16_bytes);
  device().fill_uniform(seed, 3, {.row = 25, .col = 24}, 0.5f, part.view(), stream());
  const Table filled = part.download();
  for (std::int64_t row = 0; row < filled.rows; ++row) {
    for (std::int64_t col = 0; col < filled.cols; ++col)
      ASSERT_EQ(filled.at(row, col), whole.at(25 + row, 24 + col)) << row << ", " << col;
  }
}

TEST_F(RandomFill, UniformFillsItsIntervalEvenly) {
  const float bound = 0.25f;
  const Table w = uniform(seed, 0, bound, {257, 799, Padding::to_16_bytes});
  double sum = 0;
  double squares = 0;
  for (const double value : w.values) {
    EXPECT_LT(std::abs(value), bound);
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(w.values.size());
  const double variance = bound * bound / 3.0;
  EXPECT_TRUE(near(sum / count, 0, 5 * std::sqrt(variance / count)));
  EXPECT_TRUE(near(squares / count, variance, 5 * std::sqrt(0.8 * variance * variance / count)));
}

TEST_F(RandomFill, UniformDiffersBetweenSeedsAndLayers) {
  const Extent extent{33, 31, Padding::none};
  EXPECT_EQ(uniform(seed, 1, 1.0f, extent).values, uniform(seed, 1, 1.0f, extent).values);
  EXPECT_NE(uniform(seed, 1, 1.0f, extent).values, uniform(seed, 2, 1.0f, extent).values);
  EXPECT_NE(uniform(seed, 1, 1.0f, extent).values, uniform(seed + 1, 1, 1.0f, extent).values);
}

TEST_F(RandomFill, SyntheticHasTheBitsOfTheFormula) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const auto inputs = static_cast<std::uint32_t>(extent.cols);
    const DeviceMatrix features(device(), stream(), Table(extent.rows, extent.cols, 99.0), extent.padding);
    const DeviceMatrix targets(device(), stream(), Table(extent.rows, 33, 99.0), extent.padding);
    device().fill_synthetic(seed, features.view(), targets.view(), stream());
    const Table actual_features = features.download();
    const Table actual_targets = targets.download();
    for (std::uint32_t sample = 0; sample < extent.rows; ++sample) {
      for (std::uint32_t unit = 0; unit < inputs; ++unit) {
        ASSERT_EQ(actual_features.at(sample, unit), synthetic_feature(seed, sample, unit))
            << sample << " " << unit;
      }
      for (std::uint32_t out = 0; out < 33; ++out) {
        ASSERT_EQ(actual_targets.at(sample, out), synthetic_target(seed, sample, out, inputs))
            << sample << " " << out;
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
