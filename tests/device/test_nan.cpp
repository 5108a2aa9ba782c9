// SPDX-License-Identifier: Apache-2.0
// A NaN that goes into an operation comes out of it: a run that diverges must show, not be mended by a
// maximum.
#include <cmath>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Nan : public DeviceTest {
 protected:
  static constexpr std::int64_t rows = 33;
  static constexpr std::int64_t cols = 31;
  static constexpr std::int64_t bad_row = 20;
  static constexpr std::int64_t bad_col = 29;

  // Positive everywhere, so that nothing but the NaN stops a signal.
  static Table poisoned() {
    Table table = random_table(rows, cols, 1);
    for (double& value : table.values) value = std::abs(value) + 0.5;
    table.at(bad_row, bad_col) = nan;
    return table;
  }

  static void expect_only_bad_is_nan(const Table& table) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t col = 0; col < cols; ++col) {
        EXPECT_EQ(std::isnan(table.at(row, col)), row == bad_row && col == bad_col) << row << ", " << col;
      }
    }
  }

  static DeviceMatrix matrix(const Table& table) {
    return DeviceMatrix(device(), stream(), table, Padding::to_16_bytes);
  }
  static DeviceArray<float> array(const std::vector<float>& values) {
    return DeviceArray<float>(device(), stream(), values);
  }
};

TEST_F(Nan, GoesThroughBiasAndActivation) {
  const DeviceArray<float> bias = array(std::vector<float>(cols, 0.0f));
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const DeviceMatrix y = matrix(poisoned());
  device().add_bias(bias.data(), y.view(), stream());
  expect_only_bad_is_nan(y.download());
  const DeviceMatrix h = matrix(poisoned());
  device().bias_relu_dropout(bias.data(), {}, state.data(), h.view(), stream());
  expect_only_bad_is_nan(h.download());
}

TEST_F(Nan, OfABiasReachesItsColumn) {
  std::vector<float> values(cols, 0.0f);
  values[bad_col] = static_cast<float>(nan);
  const DeviceArray<float> bias = array(values);
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const DeviceMatrix h = matrix(Table(rows, cols, 1.0));
  device().bias_relu_dropout(bias.data(), {}, state.data(), h.view(), stream());
  const Table result = h.download();
  for (std::int64_t row = 0; row < rows; ++row) EXPECT_TRUE(std::isnan(result.at(row, bad_col))) << row;
}

TEST_F(Nan, GoesBackThroughAnActivationThatIsOpen) {
  const DeviceMatrix open = matrix(Table(rows, cols, 1.0));
  const DeviceMatrix dh = matrix(poisoned());
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  device().relu_dropout_backward(open.view(), 0.3f, state.data(), dh.view(), stream());
  expect_only_bad_is_nan(dh.download());
}

TEST_F(Nan, ReachesTheBiasGradientOfItsColumn) {
  const DeviceMatrix dy = matrix(poisoned());
  const DeviceArray<float> db = array(std::vector<float>(cols, 0.0f));
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  device().bias_gradient(dy.view(), state.data(), db.data(), stream());
  const std::vector<float> gradient = db.download();
  for (std::size_t col = 0; col < gradient.size(); ++col)
    EXPECT_EQ(std::isnan(gradient[col]), col == bad_col);
}

TEST_F(Nan, ReachesBothLosses) {
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const DeviceArray<float> losses = array({0.0f});
  const DeviceMatrix y = matrix(poisoned());
  const DeviceMatrix dy = matrix(Table(rows, cols));
  const DeviceMatrix target = matrix(Table(rows, cols, 1.0));
  device().mean_squared_error(y.view(), target.view(), rows, state.data(), dy.view(), losses.span(),
                              stream());
  EXPECT_TRUE(std::isnan(losses.download()[0]));
  expect_only_bad_is_nan(dy.download());
  const DeviceMatrix classes = matrix(Table(rows, 1, 3.0));
  const DeviceArray<float> entropy = array({0.0f});
  device().softmax_cross_entropy(y.view(), classes.view(), rows, state.data(), dy.view(), entropy.span(),
                                 stream());
  EXPECT_TRUE(std::isnan(entropy.download()[0]));
  const Table gradient = dy.download();
  for (std::int64_t col = 0; col < cols; ++col) {
    EXPECT_TRUE(std::isnan(gradient.at(bad_row, col))) << col;
    EXPECT_FALSE(std::isnan(gradient.at(bad_row - 1, col))) << col;
  }
}

TEST_F(Nan, ComesFromAnInvalidClassNumber) {
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const DeviceMatrix y = matrix(random_table(rows, cols, 1));
  for (const double number : {nan, -1.0, 31.0, 2.5, 1e9}) {
    Table numbers(rows, 1, 3.0);
    numbers.at(bad_row, 0) = number;
    const DeviceArray<float> losses = array({0.0f});
    const DeviceMatrix dy = matrix(Table(rows, cols));
    const DeviceMatrix target = matrix(numbers);
    device().softmax_cross_entropy(y.view(), target.view(), rows, state.data(), dy.view(), losses.span(),
                                   stream());
    EXPECT_TRUE(std::isnan(losses.download()[0])) << number;
    const Table gradient = dy.download();
    EXPECT_TRUE(std::isnan(gradient.at(bad_row, 0))) << number;
    EXPECT_FALSE(std::isnan(gradient.at(bad_row + 1, 0))) << number;
  }
}

TEST_F(Nan, OfAGradientReachesTheParameter) {
  constexpr std::size_t count = 129;
  constexpr std::size_t bad = 126;
  std::vector<float> slope(count, 0.25f);
  slope[bad] = static_cast<float>(nan);
  const DeviceArray<float> gradient = array(slope);
  const std::vector<float> zeros(count, 0.0f);
  const DeviceArray<float> by_adam = array(zeros);
  const DeviceArray<float> by_sgd = array(zeros);
  const DeviceArray<float> m = array(zeros);
  const DeviceArray<float> v = array(zeros);
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  device().adam(count, gradient.data(), {}, state.data(), {by_adam.data(), m.data(), v.data()}, nullptr,
                Dtype::fp32, stream());
  device().sgd(count, gradient.data(), 0.1f, state.data(), by_sgd.data(), nullptr, Dtype::fp32, stream());
  const DeviceArray<double> sums(device(), stream(), {0.0});
  device().sum_of_squares(count, gradient.data(), state.data(), sums.span(), stream());
  const std::vector<float> adam = by_adam.download();
  const std::vector<float> sgd = by_sgd.download();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(std::isnan(adam[i]), i == bad) << i;
    EXPECT_EQ(std::isnan(sgd[i]), i == bad) << i;
  }
  EXPECT_TRUE(std::isnan(sums.download()[0]));
}

// What the tests themselves rest on: a NaN that the device computed does not pass as near.
TEST_F(Nan, OfTheDeviceIsNotNear) {
  const DeviceArray<float> values = array({1.0f, static_cast<float>(nan), 1.0f});
  EXPECT_FALSE(near(values.download(), std::vector<double>{1, 1, 1}, 1e30));
}

}  // namespace
}  // namespace breakeven
