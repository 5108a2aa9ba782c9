// SPDX-License-Identifier: Apache-2.0
// The flag for what is not finite, and the copy that it stops.
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr double bad_values[] = {std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};

class NotFinite : public DeviceTest {
 protected:
  static std::uint32_t found_in(const DeviceMatrix& matrix, std::uint32_t before) {
    const DeviceArray<std::uint32_t> flag(device(), stream(), {before});
    device().find_not_finite(matrix.view(), flag.data(), stream());
    return flag.download()[0];
  }
};

TEST_F(NotFinite, IsFoundAnywhere) {
  for (const Dtype dtype : dtypes) {
    for (const Extent& extent : extents()) {
      SCOPED_TRACE(testing::Message() << name_of(dtype) << " " << extent);
      const Table table = random_table(extent.rows, extent.cols, 1);
      EXPECT_EQ(found_in({device(), stream(), table, extent.padding, dtype}, 0), 0u);
      for (const double bad : bad_values) {
        Table spoiled = table;
        spoiled.at(extent.rows - 1, extent.cols / 2) = bad;
        EXPECT_EQ(found_in({device(), stream(), spoiled, extent.padding, dtype}, 0), 1u) << bad;
      }
    }
  }
}

TEST_F(NotFinite, AFlagOnceSetStays) {
  const DeviceMatrix finite(device(), stream(), random_table(3, 5, 1), Padding::none);
  EXPECT_EQ(found_in(finite, 1), 1u);
}

TEST_F(NotFinite, TheFlagStopsTheCopy) {
  for (const std::int64_t size : odd_sizes) {
    const std::vector<float> from = to_float(random_values(static_cast<std::size_t>(size), 1));
    const std::vector<float> to = to_float(random_values(static_cast<std::size_t>(size), 2));
    for (const std::uint32_t set : {0u, 1u}) {
      const DeviceArray<std::uint32_t> flag(device(), stream(), {set});
      const DeviceArray<float> source(device(), stream(), from);
      const DeviceArray<float> target(device(), stream(), to);
      device().copy_unless(flag.data(), from.size(), source.data(), target.data(), stream());
      EXPECT_EQ(target.download(), set == 0 ? from : to);
    }
  }
}

}  // namespace
}  // namespace breakeven
