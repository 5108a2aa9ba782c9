// SPDX-License-Identifier: Apache-2.0
// The bias of a layer, forward and backward, against double.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Bias : public DeviceTest {};

TEST_F(Bias, IsAddedToEveryRow) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    Table expected = random_table(extent.rows, extent.cols, 1);
    const std::vector<double> values = random_values(static_cast<std::size_t>(extent.cols), 2);
    const DeviceMatrix y(device(), stream(), expected, extent.padding);
    const DeviceArray<float> bias(device(), stream(), to_float(values));
    device().add_bias(bias.data(), y.view(), stream());
    reference::add_bias(values, expected);
    EXPECT_TRUE(near(y.download().values, expected.values, scaled_sizes(expected.values, fp32_roundoff)));
  }
}

TEST_F(Bias, GradientIsTheSumOfEachColumn) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const Table gradient = random_table(extent.rows, extent.cols, 3);
    const DeviceMatrix dy(device(), stream(), gradient, extent.padding);
    const std::vector<float> garbage(static_cast<std::size_t>(extent.cols),
                                     77.0f);  // db is replaced, not added to
    const DeviceArray<float> db(device(), stream(), garbage);
    device().bias_gradient(dy.view(), db.data(), stream());
    const std::vector<double> expected = reference::bias_gradient(gradient);
    const double rows = static_cast<double>(extent.rows);
    EXPECT_TRUE(near(db.download(), expected, (rows + 1) * rows * fp32_roundoff / 2));
    EXPECT_TRUE(near(frobenius_error(db.download(), expected), 0, 4 * std::sqrt(rows) * fp32_roundoff));
  }
}

TEST_F(Bias, GradientRepeatsBitForBit) {
  const DeviceMatrix dy(device(), stream(), random_table(799, 129, 4), Padding::to_16_bytes);
  const DeviceArray<float> first(device(), stream(), std::vector<float>(129));
  const DeviceArray<float> second(device(), stream(), std::vector<float>(129));
  device().bias_gradient(dy.view(), first.data(), stream());
  device().bias_gradient(dy.view(), second.data(), stream());
  EXPECT_EQ(first.download(), second.download());
}

}  // namespace
}  // namespace breakeven
