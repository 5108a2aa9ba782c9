// SPDX-License-Identifier: Apache-2.0
// Dropout's mask: the exact one that the generator's formula gives, of the right size, and the same however
// the batch is split.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class DropoutMask : public DeviceTest {
 protected:
  // Ones through dropout alone: the kept units hold the scale, the others zero.
  static Table drop_ones(std::int64_t rows, std::int64_t cols, const Dropout& dropout, std::uint32_t step) {
    const DeviceMatrix h(device(), stream(), Table(rows, cols, 1.0), Padding::to_16_bytes);
    const DeviceArray<float> bias(device(), stream(),
                                  std::vector<float>(static_cast<std::size_t>(cols), 0.0f));
    const DeviceArray<StepState> state = state_at(device(), stream(), step);
    device().bias_relu_dropout(bias.data(), dropout, state.data(), h.view(), stream());
    return h.download();
  }

  static double kept_units(const Table& dropped) {
    double kept = 0;
    for (const double value : dropped.values) kept += value != 0 ? 1 : 0;
    return kept;
  }
};

TEST_F(DropoutMask, IsThatOfTheFormula) {
  for (const float rate : {0.1f, 0.2f, 0.3f, 0.5f, 0.999f}) {
    const Dropout dropout{.rate = rate, .seed = 42, .layer = 3, .first_sample = 1000};
    const Table dropped = drop_ones(33, 799, dropout, 6);
    for (std::int64_t row = 0; row < dropped.rows; ++row) {
      for (std::int64_t unit = 0; unit < dropped.cols; ++unit) {
        const std::uint32_t word =
            random_word(42, RandomUse::dropout, 6, 3, 1000 + static_cast<std::uint32_t>(row),
                        static_cast<std::uint32_t>(unit));
        ASSERT_EQ(dropped.at(row, unit) != 0, word >= drop_threshold(rate)) << row << ", " << unit;
      }
    }
  }
}

TEST_F(DropoutMask, KeepsTheFractionThatTheRateLeaves) {
  for (const float rate : {0.05f, 0.2f, 0.3f, 0.5f, 0.8f}) {
    const double units = 799.0 * 257.0;
    const double kept = kept_units(drop_ones(257, 799, {.rate = rate, .seed = 7, .layer = 0}, 0));
    const double deviation = std::sqrt(units * rate * (1.0 - rate));  // of the binomial distribution
    EXPECT_TRUE(near(kept, units * (1.0 - rate), 5 * deviation)) << "rate " << rate;
  }
}

TEST_F(DropoutMask, ScalesTheKeptUnitsSoThatTheMeanStays) {
  for (const float rate : {0.2f, 0.3f, 0.5f}) {
    const double scale = 1 / (1 - static_cast<double>(rate));
    for (const double value : drop_ones(31, 127, {.rate = rate, .seed = 7, .layer = 0}, 0).values) {
      if (value == 0) continue;
      EXPECT_TRUE(near(value, scale, 3 * fp32_roundoff * scale));
    }
  }
}

TEST_F(DropoutMask, RateZeroLeavesEveryUnit) {
  EXPECT_EQ(drop_ones(33, 31, {.rate = 0.0f, .seed = 7}, 0).values, Table(33, 31, 1.0).values);
}

TEST_F(DropoutMask, IsTheSameHoweverTheBatchIsSplit) {
  constexpr std::int64_t batch = 129;
  const Dropout whole{.rate = 0.3f, .seed = 9, .layer = 1, .first_sample = 0};
  const Table expected = drop_ones(batch, 127, whole, 4);
  for (const std::int64_t parts : {2, 3, 7}) {
    std::vector<double> joined;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t first = batch * part / parts;
      Dropout share = whole;
      share.first_sample = static_cast<std::uint32_t>(first);
      const Table piece = drop_ones(batch * (part + 1) / parts - first, 127, share, 4);
      joined.insert(joined.end(), piece.values.begin(), piece.values.end());
    }
    EXPECT_EQ(joined, expected.values) << parts << " parts";
  }
}

TEST_F(DropoutMask, IsTheSameHoweverTheUnitsAreSplit) {
  const Dropout whole{.rate = 0.3f, .seed = 9, .layer = 1, .first_sample = 5};
  const Table expected = drop_ones(33, 127, whole, 4);
  for (const std::int64_t first : {0, 8, 64, 120}) {
    Dropout share = whole;
    share.first_unit = static_cast<std::uint32_t>(first);
    const Table part = drop_ones(33, 127 - first, share, 4);
    for (std::int64_t row = 0; row < part.rows; ++row) {
      for (std::int64_t unit = 0; unit < part.cols; ++unit)
        ASSERT_EQ(part.at(row, unit), expected.at(row, first + unit)) << row << ", " << first + unit;
    }
  }
}

TEST_F(DropoutMask, DiffersBetweenStepsLayersSeedsAndSamples) {
  const Dropout base{.rate = 0.5f, .seed = 9, .layer = 1, .first_sample = 0};
  const std::vector<double> mask = drop_ones(33, 127, base, 4).values;
  Dropout other_seed = base;
  other_seed.seed = base.seed + (std::uint64_t{1} << 32);
  Dropout other_layer = base;
  other_layer.layer = 2;
  Dropout other_samples = base;
  other_samples.first_sample = 33;
  EXPECT_EQ(mask, drop_ones(33, 127, base, 4).values);
  EXPECT_NE(mask, drop_ones(33, 127, base, 5).values);
  EXPECT_NE(mask, drop_ones(33, 127, other_seed, 4).values);
  EXPECT_NE(mask, drop_ones(33, 127, other_layer, 4).values);
  EXPECT_NE(mask, drop_ones(33, 127, other_samples, 4).values);
}

}  // namespace
}  // namespace breakeven
