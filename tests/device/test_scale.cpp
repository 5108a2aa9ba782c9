// SPDX-License-Identifier: Apache-2.0
// Flat buffers added, summed over ranks, scaled and clipped to a norm, against double.
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Scale : public DeviceTest {
 protected:
  static DeviceArray<float> array(const std::vector<double>& values) {
    return DeviceArray<float>(device(), stream(), to_float(values));
  }

  static std::vector<float> clipped(const std::vector<double>& values, double sum_of_squares, float limit) {
    const DeviceArray<float> on_device = array(values);
    const DeviceArray<double> sum(device(), stream(), {sum_of_squares});
    device().clip_to_norm(values.size(), sum.data(), limit, on_device.data(), stream());
    return on_device.download();
  }
};

// The parts begin on every place beside a 16-byte border; what lies around them stays.
TEST_F(Scale, AddAgreesWithDouble) {
  for (const std::int64_t size : {1, 31, 129, 799, 100003}) {
    for (const std::size_t first : {0u, 1u, 3u}) {
      SCOPED_TRACE(testing::Message() << size << " from " << first);
      const auto count = static_cast<std::size_t>(size);
      const std::vector<double> values = random_values(count + first, 1);
      std::vector<double> expected = random_values(count + first, 2);
      const DeviceArray<float> added = array(values);
      const DeviceArray<float> sum = array(expected);
      device().add(count, added.data() + first, sum.data() + first, stream());
      for (std::size_t i = first; i < expected.size(); ++i) expected[i] += values[i];
      EXPECT_TRUE(near(sum.download(), expected, 4 * fp32_roundoff));
      EXPECT_EQ(added.download(), to_float(values));
    }
  }
}

TEST_F(Scale, SumsMessagesInRankOrder) {
  for (const std::size_t count : {1u, 129u, 5003u}) {
    constexpr std::size_t floats = 5010;  // of a message; the sum takes the first
    const std::vector<float> all = to_float(random_values(3 * floats, 1));
    std::vector<float> expected(count, 0.0f);
    for (std::size_t rank = 0; rank < 3; ++rank) {
      for (std::size_t i = 0; i < count; ++i) expected[i] += all[rank * floats + i];
    }
    const DeviceArray<float> messages(device(), stream(), all);
    const DeviceArray<float> sum(device(), stream(), std::vector<float>(count, 99.0f));
    device().sum_values(count, {messages.data(), floats, 3}, sum.data(), stream());
    EXPECT_EQ(sum.download(), expected);
  }
}

TEST_F(Scale, ScaleAgreesWithDouble) {
  for (const std::int64_t size : {1, 31, 129, 799, 100003}) {
    const std::vector<double> values = random_values(static_cast<std::size_t>(size), 1);
    const DeviceArray<float> scaled = array(values);
    device().scale(values.size(), -0.75f, scaled.data(), stream());
    std::vector<double> expected = to_double(to_float(values));
    for (double& value : expected) value *= -0.75;
    EXPECT_TRUE(near(scaled.download(), expected, fp32_roundoff));
  }
}

// 1/3 in fp32 is too large by 2^-25 of it, so about every fourth number would be rounded up instead of down.
TEST_F(Scale, ScaleRoundsAThirdOnce) {
  const std::vector<float> values = to_float(random_values(1001, 1));
  const DeviceArray<float> scaled(device(), stream(), values);
  device().scale(values.size(), 1.0 / 3, scaled.data(), stream());
  std::vector<double> expected = to_double(values);
  for (double& value : expected) value /= 3;
  EXPECT_EQ(scaled.download(), to_float(expected));
}

TEST_F(Scale, ClipMakesTheNormTheLimit) {
  for (const std::int64_t size : {1, 31, 129, 799, 100003}) {
    const std::vector<double> values = random_values(static_cast<std::size_t>(size), 1);
    double sum_of_squares = 0;
    for (const double value : values) sum_of_squares += value * value;
    const auto limit = static_cast<float>(0.5 * std::sqrt(sum_of_squares));
    std::vector<double> expected = values;
    for (double& value : expected) value *= limit / std::sqrt(sum_of_squares);
    EXPECT_TRUE(near(clipped(values, sum_of_squares, limit), expected, 3 * fp32_roundoff));
  }
}

TEST_F(Scale, ClipLeavesANormWithinTheLimit) {
  const std::vector<double> values = random_values(33, 1);
  EXPECT_EQ(clipped(values, 4.0, 2.0f), to_float(values));
  EXPECT_EQ(clipped(values, 0.0, 2.0f), to_float(values));
  EXPECT_NE(clipped(values, 4.1, 2.0f), to_float(values));
}

// An overflow must stay in sight.
TEST_F(Scale, ClipLeavesWhatHasNoFiniteNorm) {
  const std::vector<double> values = random_values(33, 1);
  EXPECT_EQ(clipped(values, std::numeric_limits<double>::infinity(), 2.0f), to_float(values));
  EXPECT_EQ(clipped(values, std::numeric_limits<double>::quiet_NaN(), 2.0f), to_float(values));
}

}  // namespace
}  // namespace breakeven
