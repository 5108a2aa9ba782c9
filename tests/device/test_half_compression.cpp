// SPDX-License-Identifier: Apache-2.0
// 16-bit codes of a gradient: what is sent and what is left add up to what was there, exactly.
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

// Of sizes from below fp16's smallest number to near its largest.
std::vector<double> values_of_many_sizes(std::size_t count) {
  std::vector<double> values = random_values(count, 1);
  for (std::size_t i = 0; i < count; ++i) values[i] = std::ldexp(values[i], static_cast<int>(i % 45) - 30);
  return to_double(to_float(values));
}

class HalfCompression : public DeviceTest {};

TEST_F(HalfCompression, DecodedPlusResidualIsTheValue) {
  for (const Dtype dtype : dtypes) {
    for (const std::int64_t size : {1, 31, 129, 799, 100003}) {
      SCOPED_TRACE(testing::Message() << name_of(dtype) << " " << size);
      const std::vector<double> values = values_of_many_sizes(static_cast<std::size_t>(size));
      const DeviceArray<float> left(device(), stream(), to_float(values));
      const DeviceMatrix codes(device(), stream(), Table(1, size, 99.0), Padding::none, dtype);
      const DeviceArray<float> decoded(device(), stream(), std::vector<float>(values.size(), 99.0f));
      device().encode_half(values.size(), left.data(), codes.data(), dtype, stream());
      device().widen(values.size(), codes.data(), dtype, decoded.data(), stream());
      std::vector<double> expected = rounded(values, dtype);
      EXPECT_EQ(to_double(decoded.download()), expected);
      for (std::size_t i = 0; i < values.size(); ++i) expected[i] = values[i] - expected[i];
      EXPECT_EQ(to_double(left.download()), expected);
    }
  }
}

TEST_F(HalfCompression, NonFiniteValuesStay) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DeviceArray<float> values(device(), stream(), to_float({1.0, 1e6, -1e6, nan}));
  const DeviceMatrix codes(device(), stream(), Table(1, 4), Padding::none, Dtype::fp16);
  const DeviceArray<float> decoded(device(), stream(), std::vector<float>(4));
  device().encode_half(4, values.data(), codes.data(), Dtype::fp16, stream());
  device().widen(4, codes.data(), Dtype::fp16, decoded.data(), stream());
  const std::vector<float> result = decoded.download();
  EXPECT_EQ(result[0], 1.0f);
  EXPECT_EQ(result[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(result[2], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(result[3]));
}

}  // namespace
}  // namespace breakeven
