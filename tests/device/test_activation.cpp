// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout in one pass, and the way back, against double, for every dtype.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr std::uint32_t dropout_step = 5;
constexpr float rates[] = {0.0f, 0.2f, 0.3f, 0.5f, 0.9f};

class Activation : public DeviceTest {
 protected:
  static std::vector<double> stored_bound(const Table& expected, Dtype dtype) {
    std::vector<double> bound;
    for (const double value : expected.values) {
      bound.push_back(4 * fp32_roundoff * std::abs(value) + storing_error(std::abs(value), dtype));
    }
    return bound;
  }

  static Dropout dropout_of(float rate) {
    return {.rate = rate, .seed = 0x123456789abcdefull, .layer = 2, .first_sample = 17};
  }
};

TEST_F(Activation, ForwardAgreesWithDouble) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const float rate = rates[turn++ % std::size(rates)];
    SCOPED_TRACE(testing::Message() << extent << ", rate " << rate);
    const Dtype dtype = dtypes[turn % std::size(dtypes)];
    Table expected = rounded(random_table(extent.rows, extent.cols, 1), dtype);
    const std::vector<double> values = random_values(static_cast<std::size_t>(extent.cols), 2);
    const DeviceMatrix h(device(), stream(), expected, extent.padding, dtype);
    const DeviceArray<float> bias(device(), stream(), to_float(values));
    const DeviceArray<StepState> state = state_at(device(), stream(), dropout_step);
    device().bias_relu_dropout(bias.data(), dropout_of(rate), state.data(), h.view(), stream());
    reference::bias_relu_dropout(values, dropout_of(rate), dropout_step, expected);
    // Three roundings: the sum, the scale, their product; and that of the dtype. A unit of the wrong mask
    // is off by its whole value.
    EXPECT_TRUE(near(h.download().values, expected.values, stored_bound(expected, dtype)));
    EXPECT_EQ(state.download()[0].step, dropout_step);  // the operation only reads it
  }
}

TEST_F(Activation, BackwardPassesWhereTheActivationIsNotZero) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const float rate = rates[turn++ % std::size(rates)];
    SCOPED_TRACE(testing::Message() << extent << ", rate " << rate);
    const Dtype of_h = dtypes[turn % 3];
    const Dtype of_dh = dtypes[turn / 3 % 3];
    Table activation = rounded(random_table(extent.rows, extent.cols, 3), of_h);
    for (double& value : activation.values) value = std::max(0.0, value);
    Table expected = rounded(random_table(extent.rows, extent.cols, 4), of_dh);
    const DeviceMatrix h(device(), stream(), activation, extent.padding, of_h);
    const DeviceMatrix dh(device(), stream(), expected, extent.padding, of_dh);
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), dropout_step, 1);
    device().relu_dropout_backward(h.view(), rate, state.data(), dh.view(), stream());
    reference::relu_dropout_backward(activation, rate, expected);
    EXPECT_TRUE(near(dh.download().values, expected.values, stored_bound(expected, of_dh)));
    EXPECT_EQ(h.download().values, activation.values);
    EXPECT_EQ(state.download()[0].overflow, 0u);
  }
}

// h and dh need not have the same leading dimension.
TEST_F(Activation, BackwardTakesUnequalLeadingDimensions) {
  const Table activation = random_table(33, 31, 3);  // negative values count as not zero
  Table expected = random_table(33, 31, 4);
  const DeviceMatrix h(device(), stream(), activation, Padding::wide);
  const DeviceMatrix dh(device(), stream(), expected, Padding::none);
  const DeviceArray<StepState> state = state_at(device(), stream(), dropout_step);
  device().relu_dropout_backward(h.view(), 0.0f, state.data(), dh.view(), stream());
  EXPECT_EQ(dh.download().values, expected.values);
}

}  // namespace
}  // namespace breakeven
