// SPDX-License-Identifier: Apache-2.0
// The bias of a layer, forward and backward, against double.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Bias : public DeviceTest {};

TEST_F(Bias, IsAddedToEveryRow) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const Dtype dtype = dtypes[turn++ % std::size(dtypes)];
    SCOPED_TRACE(testing::Message() << extent << " " << name_of(dtype));
    Table expected = rounded(random_table(extent.rows, extent.cols, 1), dtype);
    const std::vector<double> values = random_values(static_cast<std::size_t>(extent.cols), 2);
    const DeviceMatrix y(device(), stream(), expected, extent.padding, dtype);
    const DeviceArray<float> bias(device(), stream(), to_float(values));
    device().add_bias(bias.data(), y.view(), stream());
    reference::add_bias(values, expected);
    std::vector<double> bound;
    for (const double value : expected.values) {
      bound.push_back(fp32_roundoff * std::abs(value) + storing_error(std::abs(value), dtype));
    }
    EXPECT_TRUE(near(y.download().values, expected.values, bound));
  }
}

TEST_F(Bias, GradientIsTheSumOfEachColumn) {
  constexpr float loss_scale = 1024;
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const Dtype dtype = dtypes[turn++ % std::size(dtypes)];
    SCOPED_TRACE(testing::Message() << extent << " " << name_of(dtype));
    const Table gradient = rounded(random_table(extent.rows, extent.cols, 3), dtype);
    const DeviceMatrix dy(device(), stream(), gradient, extent.padding, dtype);
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), 0, loss_scale);
    const std::vector<float> garbage(static_cast<std::size_t>(extent.cols),
                                     77.0f);  // db is replaced, not added to
    const DeviceArray<float> db(device(), stream(), garbage);
    device().bias_gradient(dy.view(), state.data(), db.data(), stream());
    std::vector<double> expected = reference::bias_gradient(gradient);
    for (double& value : expected) value /= loss_scale;
    const double rows = static_cast<double>(extent.rows);
    EXPECT_TRUE(near(db.download(), expected, (rows + 1) * rows * fp32_roundoff / 2 / loss_scale));
    EXPECT_TRUE(near(frobenius_error(db.download(), expected), 0, 4 * std::sqrt(rows) * fp32_roundoff));
  }
}

TEST_F(Bias, GradientRepeatsBitForBit) {
  const DeviceMatrix dy(device(), stream(), random_table(799, 129, 4), Padding::to_16_bytes);
  const DeviceArray<float> first(device(), stream(), std::vector<float>(129));
  const DeviceArray<float> second(device(), stream(), std::vector<float>(129));
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  device().bias_gradient(dy.view(), state.data(), first.data(), stream());
  device().bias_gradient(dy.view(), state.data(), second.data(), stream());
  EXPECT_EQ(first.download(), second.download());
}

}  // namespace
}  // namespace breakeven
