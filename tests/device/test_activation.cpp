// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout in one pass, and the way back, against double.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr std::uint32_t step = 5;
constexpr float rates[] = {0.0f, 0.2f, 0.3f, 0.5f, 0.9f};

class Activation : public DeviceTest {
 protected:
  static Dropout dropout_of(float rate) {
    return {.rate = rate, .seed = 0x123456789abcdefull, .layer = 2, .first_sample = 17};
  }
};

TEST_F(Activation, ForwardAgreesWithDouble) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const float rate = rates[turn++ % std::size(rates)];
    SCOPED_TRACE(testing::Message() << extent << ", rate " << rate);
    Table expected = random_table(extent.rows, extent.cols, 1);
    const std::vector<double> values = random_values(static_cast<std::size_t>(extent.cols), 2);
    const DeviceMatrix h(device(), stream(), expected, extent.padding);
    const DeviceArray<float> bias(device(), stream(), to_float(values));
    const DeviceArray<StepState> state = state_at(device(), stream(), step);
    device().bias_relu_dropout(bias.data(), dropout_of(rate), state.data(), h.view(), stream());
    reference::bias_relu_dropout(values, dropout_of(rate), step, expected);
    // Three roundings: the sum, the scale, their product. A unit of the wrong mask is off by its whole value.
    EXPECT_TRUE(near(h.download().values, expected.values, scaled_sizes(expected.values, 4 * fp32_roundoff)));
    EXPECT_EQ(state.download()[0].step, step);  // the operation only reads it
  }
}

TEST_F(Activation, BackwardPassesWhereTheActivationIsNotZero) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const float rate = rates[turn++ % std::size(rates)];
    SCOPED_TRACE(testing::Message() << extent << ", rate " << rate);
    Table activation = random_table(extent.rows, extent.cols, 3);
    for (double& value : activation.values) value = std::max(0.0, value);
    Table expected = random_table(extent.rows, extent.cols, 4);
    const DeviceMatrix h(device(), stream(), activation, extent.padding);
    const DeviceMatrix dh(device(), stream(), expected, extent.padding);
    device().relu_dropout_backward(h.view(), rate, dh.view(), stream());
    reference::relu_dropout_backward(activation, rate, expected);
    EXPECT_TRUE(
        near(dh.download().values, expected.values, scaled_sizes(expected.values, 4 * fp32_roundoff)));
    EXPECT_EQ(h.download().values, activation.values);
  }
}

// h and dh need not have the same leading dimension.
TEST_F(Activation, BackwardTakesUnequalLeadingDimensions) {
  const Table activation = random_table(33, 31, 3);  // negative values count as not zero
  Table expected = random_table(33, 31, 4);
  const DeviceMatrix h(device(), stream(), activation, Padding::wide);
  const DeviceMatrix dh(device(), stream(), expected, Padding::none);
  device().relu_dropout_backward(h.view(), 0.0f, dh.view(), stream());
  EXPECT_EQ(dh.download().values, expected.values);
}

}  // namespace
}  // namespace breakeven
