// SPDX-License-Identifier: Apache-2.0
// Blocks of 8-bit codes against their definition in double, and the sum of several ranks' messages.
#include "kernels/int8_compression.h"

#include <algorithm>
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr std::size_t sizes[] = {1, 3, 255, 256, 257, 1021, 100003};

std::vector<double> values_of_rank(std::size_t count, int rank) {
  std::vector<double> values = random_values(count, static_cast<std::uint32_t>(rank));
  for (std::size_t i = 0; i < count; ++i) values[i] = std::ldexp(values[i], static_cast<int>(i / 256 % 20));
  return to_double(to_float(values));
}

class Int8Compression : public DeviceTest {
 protected:
  static DeviceArray<float> messages(std::size_t count, int ranks) {
    return {device(), stream(),
            std::vector<float>(int8_message_floats(count) * static_cast<std::size_t>(ranks))};
  }

  static std::vector<float> summed(std::size_t count, const DeviceArray<float>& all, int ranks) {
    const DeviceArray<float> sum(device(), stream(), std::vector<float>(count, 99.0f));
    device().sum_int8(count, {all.data(), int8_message_floats(count), ranks}, sum.data(), stream());
    return sum.download();
  }
};

// No code is nearer to its value than half a unit says, and what is left is what the code leaves out.
TEST_F(Int8Compression, IsTheNearestMultipleOfItsBlocksScale) {
  for (const std::size_t count : sizes) {
    SCOPED_TRACE(count);
    const std::vector<double> values = values_of_rank(count, 1);
    const DeviceArray<float> array(device(), stream(), to_float(values));
    const DeviceArray<float> message = messages(count, 1);
    device().encode_int8(count, array.data(), message.data(), stream());
    const std::vector<float> sent = message.download();
    const std::vector<double> result = to_double(summed(count, message, 1));
    const std::vector<float> left = array.download();
    for (std::size_t first = 0; first < count; first += 256) {
      const std::size_t end = std::min(count, first + 256);
      double largest = 0;
      for (std::size_t i = first; i < end; ++i) largest = std::max(largest, std::abs(values[i]));
      const double unit = sent[first / 256];
      ASSERT_TRUE(near(unit, largest / 127, fp32_roundoff * unit)) << "block at " << first;
      for (std::size_t i = first; i < end; ++i) {
        ASSERT_TRUE(near(result[i], values[i], unit * (0.5 + 256 * fp32_roundoff))) << i;
        ASSERT_TRUE(near(left[i], values[i] - result[i], 128 * fp32_roundoff * unit)) << i;
      }
    }
  }
}

TEST_F(Int8Compression, SumsMessagesInRankOrder) {
  for (const std::size_t count : sizes) {
    for (const int ranks : {1, 2, 4}) {
      SCOPED_TRACE(testing::Message() << count << " of " << ranks);
      const DeviceArray<float> all = messages(count, ranks);
      std::vector<float> expected(count, 0.0f);
      for (int rank = 0; rank < ranks; ++rank) {
        const DeviceArray<float> values(device(), stream(), to_float(values_of_rank(count, rank)));
        const DeviceArray<float> alone = messages(count, 1);
        float* const mine = all.data() + static_cast<std::size_t>(rank) * int8_message_floats(count);
        device().encode_int8(count, values.data(), mine, stream());
        device().copy(alone.data(), mine, int8_message_floats(count) * sizeof(float), stream());
        const std::vector<float> part = summed(count, alone, 1);
        for (std::size_t i = 0; i < count; ++i) expected[i] += part[i];
      }
      EXPECT_TRUE(near(summed(count, all, ranks), expected, scaled_sizes(expected, 16 * fp32_roundoff)));
    }
  }
}

TEST_F(Int8Compression, ABlockOfZerosIsZero) {
  const DeviceArray<float> values(device(), stream(), std::vector<float>(300, 0.0f));
  const DeviceArray<float> message = messages(300, 1);
  device().encode_int8(300, values.data(), message.data(), stream());
  EXPECT_EQ(summed(300, message, 1), std::vector<float>(300, 0.0f));
  EXPECT_EQ(values.download(), std::vector<float>(300, 0.0f));
}

TEST_F(Int8Compression, ANonFiniteValueSpoilsItsBlock) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(600, 1.0f);
    values[300] = bad;
    const DeviceArray<float> array(device(), stream(), values);
    const DeviceArray<float> message = messages(600, 1);
    device().encode_int8(600, array.data(), message.data(), stream());
    EXPECT_FALSE(std::isfinite(message.download()[1]));
    const std::vector<float> sum = summed(600, message, 1);
    for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_EQ(std::isfinite(sum[i]), i / 256 != 1) << i;
  }
}

}  // namespace
}  // namespace breakeven
