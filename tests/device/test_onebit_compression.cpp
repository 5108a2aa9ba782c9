// SPDX-License-Identifier: Apache-2.0
// Signs and their means against a plain double loop, and the sum of several ranks' messages.
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

// What each value decodes to: the mean of those of its row that have its sign, zero counting as positive.
Table decoded(const Table& values) {
  Table result(values.rows, values.cols);
  for (std::int64_t row = 0; row < values.rows; ++row) {
    double sums[2] = {0, 0};
    double counts[2] = {0, 0};
    for (std::int64_t col = 0; col < values.cols; ++col) {
      const int side = values.at(row, col) >= 0 ? 0 : 1;
      sums[side] += values.at(row, col);
      counts[side] += 1;
    }
    for (std::int64_t col = 0; col < values.cols; ++col) {
      const int side = values.at(row, col) >= 0 ? 0 : 1;
      result.at(row, col) = sums[side] / counts[side];
    }
  }
  return result;
}

class OnebitCompression : public DeviceTest {
 protected:
  // The messages of all ranks: the means of each, then its words.
  struct Coded {
    std::size_t mean_floats;
    std::size_t floats;
    DeviceArray<float> all;

    Coded(std::int64_t rows, std::int64_t cols, int ranks)
        : mean_floats(static_cast<std::size_t>(2 * rows)),
          floats(mean_floats + static_cast<std::size_t>(rows * sign_words(cols))),
          all(device(), stream(), std::vector<float>(floats * static_cast<std::size_t>(ranks))) {}
    float* means(int rank) const { return all.data() + static_cast<std::size_t>(rank) * floats; }
    std::uint32_t* words(int rank) const {
      return reinterpret_cast<std::uint32_t*>(means(rank) + mean_floats);
    }
    Messages all_means(int ranks) const { return {means(0), floats, ranks}; }
    Messages all_words(int ranks) const { return {means(0) + mean_floats, floats, ranks}; }
  };
};

TEST_F(OnebitCompression, DecodesToTheMeanOfItsSign) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    Table values = random_table(extent.rows, extent.cols, 1);
    for (std::size_t i = 0; i < values.values.size(); i += 5) values.values[i] = 0;
    const DeviceMatrix left(device(), stream(), values, extent.padding);
    const DeviceMatrix sum(device(), stream(), Table(extent.rows, extent.cols, 99.0), extent.padding);
    const Coded coded(extent.rows, extent.cols, 1);
    device().encode_onebit(left.view(), coded.means(0), coded.words(0), stream());
    device().sum_onebit(coded.all_means(1), coded.all_words(1), sum.view(), stream());
    Table expected = decoded(values);
    EXPECT_TRUE(near(sum.download().values, expected.values, fp32_roundoff));
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      expected.values[i] = values.values[i] - expected.values[i];
    }
    EXPECT_TRUE(near(left.download().values, expected.values, 4 * fp32_roundoff));
  }
}

TEST_F(OnebitCompression, SumsMessagesInRankOrder) {
  for (const int ranks : {2, 3, 4}) {
    const Coded coded(33, 129, ranks);
    Table expected(33, 129);
    for (int rank = 0; rank < ranks; ++rank) {
      const Table values = random_table(33, 129, static_cast<std::uint32_t>(rank));
      const DeviceMatrix left(device(), stream(), values, Padding::to_16_bytes);
      device().encode_onebit(left.view(), coded.means(rank), coded.words(rank), stream());
      const Table part = decoded(values);
      for (std::size_t i = 0; i < part.values.size(); ++i) expected.values[i] += part.values[i];
    }
    const DeviceMatrix sum(device(), stream(), Table(33, 129, 99.0), Padding::to_16_bytes);
    device().sum_onebit(coded.all_means(ranks), coded.all_words(ranks), sum.view(), stream());
    EXPECT_TRUE(near(sum.download().values, expected.values, 2 * ranks * fp32_roundoff)) << ranks;
  }
}

TEST_F(OnebitCompression, ARowOfOneSignIsItsMean) {
  for (const double value : {0.0, 0.25, -0.25}) {
    const DeviceMatrix left(device(), stream(), Table(2, 40, value), Padding::to_16_bytes);
    const DeviceMatrix sum(device(), stream(), Table(2, 40, 99.0), Padding::to_16_bytes);
    const Coded coded(2, 40, 1);
    device().encode_onebit(left.view(), coded.means(0), coded.words(0), stream());
    device().sum_onebit(coded.all_means(1), coded.all_words(1), sum.view(), stream());
    EXPECT_EQ(sum.download().values, Table(2, 40, value).values);
    EXPECT_EQ(left.download().values, Table(2, 40).values);
  }
}

TEST_F(OnebitCompression, ANonFiniteValueSpoilsItsRow) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    Table values = random_table(3, 65, 1);
    values.at(1, 64) = bad;
    const DeviceMatrix left(device(), stream(), values, Padding::to_16_bytes);
    const DeviceMatrix sum(device(), stream(), Table(3, 65), Padding::to_16_bytes);
    const Coded coded(3, 65, 1);
    device().encode_onebit(left.view(), coded.means(0), coded.words(0), stream());
    device().sum_onebit(coded.all_means(1), coded.all_words(1), sum.view(), stream());
    const std::vector<float> message = coded.all.download();
    const Table result = sum.download();
    EXPECT_FALSE(std::isfinite(message[2]) && std::isfinite(message[3])) << bad;
    EXPECT_FALSE(std::isfinite(result.at(1, 64))) << bad;
    for (std::int64_t col = 0; col < 65; ++col) {
      EXPECT_TRUE(std::isfinite(result.at(0, col)) && std::isfinite(result.at(2, col))) << col;
    }
  }
}

}  // namespace
}  // namespace breakeven
