// SPDX-License-Identifier: Apache-2.0
// More rows than a grid has blocks or one pass takes: what strides over the rest, and what sums in two
// stages.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class ManyRows : public DeviceTest {};

// A grid has at most 65535 blocks down a matrix; eight rows each are 524280.
constexpr std::int64_t more_than_a_grid = 8 * 65535 + 11;

TEST_F(ManyRows, OfActivationsAreAllDone) {
  const std::vector<double> bias = {0.25};
  Table expected = random_table(more_than_a_grid, 1, 1);
  const DeviceMatrix h(device(), stream(), expected, Padding::none);
  const DeviceArray<float> bias_on_device(device(), stream(), to_float(bias));
  const DeviceArray<StepState> state = state_at(device(), stream(), 2);
  const Dropout dropout{0.3f, 5, 1, 7};
  device().bias_relu_dropout(bias_on_device.data(), dropout, state.data(), h.view(), stream());
  reference::bias_relu_dropout(bias, dropout, 2, expected);
  EXPECT_TRUE(near(h.download().values, expected.values, 4 * fp32_roundoff));
}

TEST_F(ManyRows, OfABiasAreAllDone) {
  const std::vector<double> bias = {0.25};
  Table expected = random_table(more_than_a_grid, 1, 2);
  const DeviceMatrix y(device(), stream(), expected, Padding::none);
  const DeviceArray<float> bias_on_device(device(), stream(), to_float(bias));
  device().add_bias(bias_on_device.data(), y.view(), stream());
  reference::add_bias(bias, expected);
  EXPECT_TRUE(near(y.download().values, expected.values, 2 * fp32_roundoff));
}

TEST_F(ManyRows, OfColumnsAreSummed) {
  for (const std::int64_t rows : {1023, 1024, 1025, 2048, 2049, 5003}) {
    for (const std::int64_t cols : {3, 32, 65}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
      const Table gradient = random_table(rows, cols, 3);
      const DeviceMatrix dy(device(), stream(), gradient, Padding::to_16_bytes);
      const DeviceArray<float> db(device(), stream(),
                                  std::vector<float>(static_cast<std::size_t>(cols), 77.0f));
      const DeviceArray<StepState> state = scaled_state_at(device(), stream(), 0, 0.5f);
      device().bias_gradient(dy.view(), state.data(), db.data(), stream());
      std::vector<double> expected = reference::bias_gradient(gradient);
      for (double& value : expected) value *= 2;
      const double tolerance = 4 * std::sqrt(static_cast<double>(rows)) * fp32_roundoff;
      EXPECT_TRUE(near(frobenius_error(db.download(), expected), 0, tolerance));
    }
  }
}

TEST_F(ManyRows, OfLossesAreSummed) {
  constexpr std::int64_t rows = 9001;
  constexpr std::int64_t cols = 5;
  const Table y = random_table(rows, cols, 4);
  const Table values = random_table(rows, cols, 5);
  Table classes(rows, 1);
  for (std::int64_t row = 0; row < rows; ++row) classes.at(row, 0) = static_cast<double>(row % cols);
  const DeviceMatrix y_on_device(device(), stream(), y, Padding::to_16_bytes);
  const DeviceMatrix dy(device(), stream(), Table(rows, cols), Padding::to_16_bytes);
  const DeviceArray<float> losses(device(), stream(), {0.0f, 0.0f});
  const auto check = [&](auto operation, const Table& target, const reference::Loss& expected) {
    const DeviceMatrix target_on_device(device(), stream(), target, Padding::to_16_bytes);
    const DeviceArray<StepState> state = state_at(device(), stream(), 1);
    (device().*operation)(y_on_device.view(), target_on_device.view(), rows, state.data(), dy.view(),
                          losses.span(), stream());
    EXPECT_TRUE(near(losses.download()[1], expected.loss, 1e-6 * expected.loss));
    EXPECT_TRUE(near(frobenius_error(dy.download().values, expected.dy.values), 0, 1e-6));
  };
  check(&Device::mean_squared_error, values, reference::mean_squared_error(y, values, rows));
  check(&Device::softmax_cross_entropy, classes, reference::softmax_cross_entropy(y, classes, rows));
}

}  // namespace
}  // namespace breakeven
