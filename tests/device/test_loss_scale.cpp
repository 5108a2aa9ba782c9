// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling: the scale taken back, overflow found, and the scale of the next step.
#include <cmath>
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();

class LossScale : public DeviceTest {
 protected:
  static StepState found(std::vector<float> values, std::uint32_t growth_interval) {
    StepState before;
    before.growth_interval = growth_interval;
    const DeviceArray<float> on_device(device(), stream(), values);
    const DeviceArray<StepState> state(device(), stream(), {before});
    device().find_overflow(values.size(), on_device.data(), state.data(), stream());
    return state.download()[0];
  }
};

TEST_F(LossScale, IsRemoved) {
  std::size_t turn = 0;
  for (const Extent& extent : extents()) {
    const Dtype dtype = dtypes[turn++ % std::size(dtypes)];
    SCOPED_TRACE(testing::Message() << extent << " " << name_of(dtype));
    const Table start = rounded(random_table(extent.rows, extent.cols, 1), dtype);
    const DeviceMatrix values(device(), stream(), start, extent.padding, dtype);
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), 0, 8);
    device().remove_loss_scale(state.data(), values.view(), stream());
    Table expected = start;
    for (double& value : expected.values) value /= 8;
    EXPECT_EQ(values.download().values, rounded(expected, dtype).values);
  }
}

TEST_F(LossScale, OverflowIsFoundWhereverItIs) {
  constexpr std::size_t count = 100003;
  const std::vector<float> finite(count, std::numeric_limits<float>::max());
  EXPECT_EQ(found(finite, 10).overflow, 0u);
  for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) {
    for (const float value : {float_infinity, -float_infinity, std::nanf("")}) {
      std::vector<float> values = finite;
      values[place] = value;
      EXPECT_EQ(found(values, 10).overflow, 1u) << value << " at " << place;
      EXPECT_EQ(found(values, 0).overflow, 0u) << value << " at " << place << " without loss scaling";
    }
  }
}

// Steps that all overflow, or never: the scale and its inverse stay numbers.
TEST_F(LossScale, StaysWithinItsBounds) {
  const AdamSettings settings;
  for (const std::uint32_t overflow : {0u, 1u}) {
    StepState before;
    before.growth_interval = 1;
    before.loss_scale = 0x1p20f;
    for (int step = 0; step < 200; ++step) {
      before.overflow = overflow;
      const DeviceArray<StepState> state(device(), stream(), {before});
      device().advance_step(settings, state.data(), stream());
      before = state.download()[0];
    }
    EXPECT_EQ(before.loss_scale, overflow == 1 ? least_loss_scale : most_loss_scale);
  }
}

TEST_F(LossScale, OverflowOnOneRankIsFoundInTheSum) {
  for (const std::uint32_t overflow : {0u, 1u}) {
    StepState before;
    before.growth_interval = 10;
    before.overflow = overflow;
    const DeviceArray<StepState> state(device(), stream(), {before});
    const DeviceArray<float> value(device(), stream(), {-1.0f});
    device().store_overflow(state.data(), value.data(), stream());
    const float stored = value.download()[0];
    EXPECT_EQ(stored, overflow != 0 ? float_infinity : 0.0f);
    EXPECT_EQ(found({stored + 0.0f + stored}, 10).overflow, overflow);
  }
}

TEST_F(LossScale, GrowsAfterStepsWithoutOverflowAndIsHalvedByOne) {
  const AdamSettings settings;
  StepState start;
  start.growth_interval = 3;
  start.loss_scale = 16;
  const DeviceArray<StepState> state(device(), stream(), {start});
  std::vector<float> scales;
  const auto end_of_step = [&](bool overflowed) {
    const DeviceArray<float> gradient(device(), stream(), {1.0f, overflowed ? float_infinity : 0.0f});
    device().find_overflow(2, gradient.data(), state.data(), stream());
    device().advance_step(settings, state.data(), stream());
    scales.push_back(state.download()[0].loss_scale);
  };
  for (const bool overflowed : {false, false, false, false, true, false, false, false})
    end_of_step(overflowed);
  EXPECT_EQ(scales, (std::vector<float>{16, 16, 32, 32, 16, 16, 16, 32}));
  const StepState end = state.download()[0];
  EXPECT_EQ(end.step, 8u);  // the step is spent, the update is not counted
  EXPECT_EQ(end.overflow, 0u);
  EXPECT_TRUE(near(end.beta1_power, std::pow(static_cast<double>(settings.beta1), 7), 1e-12));
  EXPECT_TRUE(near(end.beta2_power, std::pow(static_cast<double>(settings.beta2), 7), 1e-12));
}

}  // namespace
}  // namespace breakeven
