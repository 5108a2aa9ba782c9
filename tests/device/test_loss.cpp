// SPDX-License-Identifier: Apache-2.0
// Both losses and their gradients against double: means over the global batch, stored in the step's slot.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

using Operation = decltype(&Device::mean_squared_error);
constexpr float untouched = -7.0f;
constexpr std::size_t slots = 4;

class LossTest : public DeviceTest {
 protected:
  struct Result {
    std::vector<float> losses;
    Table dy;
  };

  static Result compute(Operation operation, const Table& y, const Table& target, std::uint32_t global_batch,
                        std::uint32_t step, Padding padding, Dtype of_y = Dtype::fp32,
                        Dtype of_dy = Dtype::fp32, float loss_scale = 1) {
    const DeviceMatrix y_device(device(), stream(), y, padding, of_y);
    const DeviceMatrix target_device(device(), stream(), target, Padding::to_16_bytes);
    const DeviceMatrix dy(device(), stream(), Table(y.rows, y.cols, 99.0), padding, of_dy);
    const DeviceArray<float> losses(device(), stream(), std::vector<float>(slots, untouched));
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), step, loss_scale);
    (device().*operation)(y_device.view(), target_device.view(), global_batch, state.data(), dy.view(),
                          losses.span(), stream());
    EXPECT_EQ(state.download()[0].overflow, 0u);
    return {losses.download(), dy.download()};
  }

  static Table scaled(Table table, double factor) {
    for (double& value : table.values) value = static_cast<float>(value * factor);
    return table;
  }

  static Table class_numbers(std::int64_t rows, std::int64_t classes) {
    Table target(rows, 1);
    for (std::int64_t row = 0; row < rows; ++row) target.at(row, 0) = static_cast<double>(row * 7 % classes);
    return target;
  }

  // The loss and gradient of the rows in two parts are those of the whole.
  static void expect_parts_make_the_whole(Operation operation, const Table& y, const Table& target) {
    const auto batch = static_cast<std::uint32_t>(y.rows);
    const std::int64_t cut = y.rows / 3;
    const Result whole = compute(operation, y, target, batch, 0, Padding::to_16_bytes);
    const Result front =
        compute(operation, some_rows(y, 0, cut), some_rows(target, 0, cut), batch, 0, Padding::to_16_bytes);
    const Result back = compute(operation, some_rows(y, cut, y.rows - cut),
                                some_rows(target, cut, y.rows - cut), batch, 0, Padding::to_16_bytes);
    EXPECT_TRUE(near(front.losses[0] + back.losses[0], whole.losses[0], 1e-5 * whole.losses[0]));
    EXPECT_EQ(front.dy.values, some_rows(whole.dy, 0, cut).values);
    EXPECT_EQ(back.dy.values, some_rows(whole.dy, cut, y.rows - cut).values);
  }
};

TEST_F(LossTest, MeanSquaredErrorAgreesWithDouble) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const auto global_batch = static_cast<std::uint32_t>(3 * extent.rows);  // two other ranks have the rest
    const Table y = random_table(extent.rows, extent.cols, 1);
    const Table target = random_table(extent.rows, extent.cols, 2);
    const reference::Loss expected = reference::mean_squared_error(y, target, global_batch);
    const Result actual = compute(&Device::mean_squared_error, y, target, global_batch, 6, extent.padding);
    EXPECT_TRUE(near(actual.losses[2], expected.loss, 1e-5 * expected.loss));
    EXPECT_TRUE(
        near(actual.dy.values, expected.dy.values, scaled_sizes(expected.dy.values, 6 * fp32_roundoff)));
  }
}

TEST_F(LossTest, SoftmaxCrossEntropyAgreesWithDouble) {
  std::vector<Extent> all = extents();
  all.push_back({5, 1500, Padding::to_16_bytes});  // more classes than a block has threads
  for (const Extent& extent : all) {
    SCOPED_TRACE(extent);
    const auto global_batch = static_cast<std::uint32_t>(3 * extent.rows);
    const Table y = scaled(random_table(extent.rows, extent.cols, 3), 5);
    const Table target = class_numbers(extent.rows, extent.cols);
    const reference::Loss expected = reference::softmax_cross_entropy(y, target, global_batch);
    const Result actual = compute(&Device::softmax_cross_entropy, y, target, global_batch, 6, extent.padding);
    EXPECT_TRUE(near(actual.losses[2], expected.loss, 1e-5 * (expected.loss + 0.1)));
    // exp of a number up to ten in size: its roundings and those of the sum, relative to a probability of
    // one.
    EXPECT_TRUE(near(actual.dy.values, expected.dy.values, 32 * fp32_roundoff / global_batch));
  }
}

// The gradient times the loss scale, rounded to its dtype; the loss knows nothing of the scale.
TEST_F(LossTest, ReadAndWriteEveryValue) {
  constexpr float loss_scale = 4096;
  constexpr std::uint32_t global_batch = 99;
  for (const Operation operation : {&Device::mean_squared_error, &Device::softmax_cross_entropy}) {
    const bool of_values = operation == &Device::mean_squared_error;
    const Table target = of_values ? random_table(33, 67, 2) : class_numbers(33, 67);
    for (const Dtype of_y : dtypes) {
      const Table y = rounded(random_table(33, 67, 1), of_y);
      reference::Loss expected = of_values ? reference::mean_squared_error(y, target, global_batch)
                                           : reference::softmax_cross_entropy(y, target, global_batch);
      for (double& value : expected.dy.values) value *= loss_scale;
      for (const Dtype of_dy : dtypes) {
        SCOPED_TRACE(testing::Message() << name_of(of_y) << " to " << name_of(of_dy));
        const Result actual =
            compute(operation, y, target, global_batch, 1, Padding::to_16_bytes, of_y, of_dy, loss_scale);
        EXPECT_TRUE(near(actual.losses[1], expected.loss, 1e-5 * expected.loss));
        std::vector<double> bound;
        for (const double value : expected.dy.values) {
          bound.push_back(storing_error(std::abs(value), of_dy) +
                          32 * fp32_roundoff * loss_scale / global_batch);
        }
        EXPECT_TRUE(near(actual.dy.values, expected.dy.values, bound));
      }
    }
  }
}

// The gradient may take the place of what the network put out.
TEST_F(LossTest, GradientMayBeWhereTheOutputIs) {
  for (const Operation operation : {&Device::mean_squared_error, &Device::softmax_cross_entropy}) {
    const bool of_values = operation == &Device::mean_squared_error;
    const Table y = random_table(33, 67, 1);
    const Table target = of_values ? random_table(33, 67, 2) : class_numbers(33, 67);
    for (const Dtype dtype : dtypes) {
      const Result apart = compute(operation, y, target, 33, 0, Padding::to_16_bytes, dtype, dtype);
      const DeviceMatrix both(device(), stream(), y, Padding::to_16_bytes, dtype);
      const DeviceMatrix target_device(device(), stream(), target, Padding::to_16_bytes);
      const DeviceArray<float> losses(device(), stream(), {untouched});
      const DeviceArray<StepState> state = state_at(device(), stream(), 0);
      (device().*operation)(both.view(), target_device.view(), 33, state.data(), both.view(), losses.span(),
                            stream());
      EXPECT_EQ(both.download().values, apart.dy.values) << name_of(dtype);
      EXPECT_EQ(losses.download()[0], apart.losses[0]) << name_of(dtype);
    }
  }
}

TEST_F(LossTest, OnlyTheSlotOfTheStepIsWritten) {
  const Table y = random_table(33, 31, 1);
  for (const Operation operation : {&Device::mean_squared_error, &Device::softmax_cross_entropy}) {
    const Table target =
        operation == &Device::mean_squared_error ? random_table(33, 31, 2) : class_numbers(33, 31);
    for (const std::uint32_t step : {0u, 3u, 4u, 4001u}) {
      const std::vector<float> losses = compute(operation, y, target, 33, step, Padding::wide).losses;
      for (std::size_t slot = 0; slot < slots; ++slot) {
        EXPECT_EQ(losses[slot] == untouched, slot != step % slots) << "step " << step << " slot " << slot;
      }
    }
  }
}

TEST_F(LossTest, TotalIsInTheSlotOfTheStep) {
  const DeviceArray<float> parts(device(), stream(), {3.0f, 1e8f, -1e8f, 0.25f});  // as they add up in order
  const DeviceArray<float> losses(device(), stream(), std::vector<float>(3, -1.0f));
  const DeviceArray<StepState> state = state_at(device(), stream(), 7);
  device().total_of_losses(parts.span(), state.data(), losses.span(), stream());
  EXPECT_EQ(losses.download(), (std::vector<float>{-1, (3.0f + 1e8f) - 1e8f + 0.25f, -1}));
  const DeviceArray<float> bad(device(), stream(), {1.0f, std::nanf("")});
  device().total_of_losses(bad.span(), state.data(), losses.span(), stream());
  EXPECT_TRUE(std::isnan(losses.download()[1]));
}

TEST_F(LossTest, PartsMakeTheWhole) {
  const Table y = random_table(129, 33, 1);
  expect_parts_make_the_whole(&Device::mean_squared_error, y, random_table(129, 33, 2));
  expect_parts_make_the_whole(&Device::softmax_cross_entropy, y, class_numbers(129, 33));
}

// Logits whose exponentials overflow float, and whose differences decide all.
TEST_F(LossTest, SoftmaxTakesHugeLogits) {
  Table y(3, 4);
  y.values = {1e4, 0, -1e4, 5, 3e4, 3e4, 0, 0, -2e4, -2e4, -2e4, -2e4};
  Table target(3, 1);
  target.values = {0, 1, 2};
  const reference::Loss expected = reference::softmax_cross_entropy(y, target, 3);
  const Result actual = compute(&Device::softmax_cross_entropy, y, target, 3, 0, Padding::none);
  EXPECT_TRUE(near(actual.losses[0], expected.loss, 1e-6));
  EXPECT_TRUE(near(actual.dy.values, expected.dy.values, 4 * fp32_roundoff));
}

TEST_F(LossTest, LossesRepeatBitForBit) {
  const Table y = random_table(799, 129, 1);
  const Table target = random_table(799, 129, 2);
  const Result first = compute(&Device::mean_squared_error, y, target, 799, 0, Padding::to_16_bytes);
  const Result second = compute(&Device::mean_squared_error, y, target, 799, 0, Padding::to_16_bytes);
  EXPECT_EQ(first.losses, second.losses);
  const Table classes = class_numbers(799, 129);
  EXPECT_EQ(compute(&Device::softmax_cross_entropy, y, classes, 799, 0, Padding::none).losses,
            compute(&Device::softmax_cross_entropy, y, classes, 799, 0, Padding::none).losses);
}

}  // namespace
}  // namespace breakeven
