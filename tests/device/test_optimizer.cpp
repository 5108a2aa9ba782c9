// SPDX-License-Identifier: Apache-2.0
// Adam over a hundred steps and SGD against double, with the working copies that they keep, and the step's
// own count.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr int steps = 100;

// Gradients of very different sizes side by side: none, below epsilon, and up to thirty.
constexpr double gradient_sizes[] = {0, 1e-8, 1e-3, 1, 30};
double gradient_size(std::size_t i) { return gradient_sizes[i % std::size(gradient_sizes)]; }

std::vector<float> gradient_of(std::size_t count, int step) {
  std::vector<double> gradient = random_values(count, static_cast<std::uint32_t>(10 + step));
  for (std::size_t i = 0; i < count; ++i) gradient[i] = (gradient[i] + 0.5) * gradient_size(i);
  return to_float(gradient);
}

class Optimizer : public DeviceTest {
 protected:
  static void expect_adam_agrees(std::size_t count, const AdamSettings& settings) {
    std::vector<double> p = random_values(count, 1);
    std::vector<double> m(count, 0.0);
    std::vector<double> v(count, 0.0);
    const DeviceArray<float> parameter(device(), stream(), to_float(p));
    const DeviceArray<float> first_moment(device(), stream(), to_float(m));
    const DeviceArray<float> second_moment(device(), stream(), to_float(v));
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    for (int step = 1; step <= steps; ++step) {
      const std::vector<float> values = gradient_of(count, step);
      const DeviceArray<float> gradient(device(), stream(), values);
      device().adam(count, gradient.data(), settings, state.data(),
                    {parameter.data(), first_moment.data(), second_moment.data()}, nullptr, Dtype::fp32,
                    stream());
      device().advance_step(settings, state.data(), stream());
      reference::adam(to_double(values), settings, step, p, m, v);
    }
    std::vector<double> m_bound(count);
    std::vector<double> v_bound(count);
    for (std::size_t i = 0; i < count; ++i) {
      m_bound[i] = 3 * steps * fp32_roundoff * gradient_size(i);
      v_bound[i] = 3 * steps * fp32_roundoff * gradient_size(i) * gradient_size(i);
    }
    EXPECT_TRUE(near(first_moment.download(), m, m_bound));
    EXPECT_TRUE(near(second_moment.download(), v, v_bound));
    // Each step rounds the parameter once, and its update by the moments' roundings.
    const double update_error = settings.learning_rate * 3 * steps * fp32_roundoff;
    EXPECT_TRUE(near(parameter.download(), p, steps * (1.2 * fp32_roundoff + update_error)));
  }
};

TEST_F(Optimizer, AdamAgreesWithDoubleOverAHundredSteps) {
  for (const std::int64_t count : odd_sizes) {
    SCOPED_TRACE(count);
    expect_adam_agrees(static_cast<std::size_t>(count), {});
  }
  expect_adam_agrees(10007, {.learning_rate = 3e-3f, .beta1 = 0.8f, .beta2 = 0.99f, .epsilon = 1e-6f});
}

// The first step of Adam is the learning rate itself, in the gradient's direction: the corrections do that.
TEST_F(Optimizer, AdamsFirstStepIsTheLearningRate) {
  const DeviceArray<float> gradient(device(), stream(), {0.25f, -4.0f, 1e-3f});
  const DeviceArray<float> parameter(device(), stream(), {0.0f, 0.0f, 0.0f});
  const DeviceArray<float> m(device(), stream(), {0.0f, 0.0f, 0.0f});
  const DeviceArray<float> v(device(), stream(), {0.0f, 0.0f, 0.0f});
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  device().adam(3, gradient.data(), {.learning_rate = 0.01f}, state.data(),
                {parameter.data(), m.data(), v.data()}, nullptr, Dtype::fp32, stream());
  EXPECT_TRUE(near(parameter.download(), std::vector<double>{-0.01, 0.01, -0.01}, 1e-6));
}

TEST_F(Optimizer, SgdAgreesWithDouble) {
  for (const std::int64_t size : odd_sizes) {
    const auto count = static_cast<std::size_t>(size);
    SCOPED_TRACE(count);
    const std::vector<double> start = random_values(count, 1);
    const std::vector<double> slope = random_values(count, 2);
    const DeviceArray<float> parameter(device(), stream(), to_float(start));
    const DeviceArray<float> gradient(device(), stream(), to_float(slope));
    const float learning_rate = 0.1f;
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    device().sgd(count, gradient.data(), learning_rate, state.data(), parameter.data(), nullptr, Dtype::fp32,
                 stream());
    std::vector<double> expected = start;
    for (std::size_t i = 0; i < count; ++i) expected[i] -= static_cast<double>(learning_rate) * slope[i];
    EXPECT_TRUE(near(parameter.download(), expected, 2 * fp32_roundoff));
    EXPECT_EQ(gradient.download(), to_float(slope));
  }
}

// The optimizers may be given a part of a buffer that does not begin on a 16-byte border.
TEST_F(Optimizer, TakesPartsThatBeginAnywhere) {
  const std::vector<double> start = random_values(133, 1);
  const std::vector<double> slope = random_values(133, 2);
  for (const std::size_t first : {1u, 2u, 3u}) {
    const DeviceArray<float> parameter(device(), stream(), to_float(start));
    const DeviceArray<float> gradient(device(), stream(), to_float(slope));
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    device().sgd(129, gradient.data() + first, 0.5f, state.data(), parameter.data() + first, nullptr,
                 Dtype::fp32, stream());
    std::vector<double> expected = start;
    for (std::size_t i = first; i < first + 129; ++i) expected[i] -= 0.5 * slope[i];
    EXPECT_TRUE(near(parameter.download(), expected, 2 * fp32_roundoff)) << "from " << first;
  }
}

// The working copy is the updated parameter, rounded; after an overflow nothing is updated.
TEST_F(Optimizer, WorkingCopiesFollowTheParameters) {
  for (const Dtype dtype : dtypes) {
    for (const std::int64_t size : odd_sizes) {
      for (const std::uint32_t overflow : {0u, 1u}) {
        SCOPED_TRACE(testing::Message() << name_of(dtype) << " " << size << " overflow " << overflow);
        const auto count = static_cast<std::size_t>(size);
        const std::vector<float> start = to_float(random_values(count, 1));
        const DeviceArray<float> gradient(device(), stream(), to_float(random_values(count, 2)));
        const DeviceArray<float> by_adam(device(), stream(), start);
        const DeviceArray<float> by_sgd(device(), stream(), start);
        const DeviceArray<float> m(device(), stream(), std::vector<float>(count));
        const DeviceArray<float> v(device(), stream(), std::vector<float>(count));
        const DeviceMatrix adam_copy(device(), stream(), Table(1, size, 99.0), Padding::none, dtype);
        const DeviceMatrix sgd_copy(device(), stream(), Table(1, size, 99.0), Padding::none, dtype);
        StepState before;
        before.overflow = overflow;
        const DeviceArray<StepState> state(device(), stream(), {before});
        device().adam(count, gradient.data(), {}, state.data(), {by_adam.data(), m.data(), v.data()},
                      adam_copy.data(), dtype, stream());
        device().sgd(count, gradient.data(), 0.1f, state.data(), by_sgd.data(), sgd_copy.data(), dtype,
                     stream());
        EXPECT_EQ(by_adam.download() == start, overflow == 1);
        EXPECT_EQ(by_sgd.download() == start, overflow == 1);
        EXPECT_EQ(m.download() == std::vector<float>(count), overflow == 1);
        const std::vector<double> untouched(count, 99.0);
        EXPECT_EQ(adam_copy.download().values,
                  overflow == 1 ? untouched : rounded(to_double(by_adam.download()), dtype));
        EXPECT_EQ(sgd_copy.download().values,
                  overflow == 1 ? untouched : rounded(to_double(by_sgd.download()), dtype));
      }
    }
  }
}

TEST_F(Optimizer, ConvertRoundsToNearestEven) {
  std::vector<double> values = random_values(1021, 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::ldexp(values[i], static_cast<int>(i % 64) - 40);
  const std::vector<double> ties = {1 + 0x1p-8, 1 + 0x3p-8, 1 + 0x1p-11, 1 + 0x3p-11,
                                    65519.9,    65520,      -0x1p-25};
  values.insert(values.end(), ties.begin(), ties.end());
  const std::vector<float> floats = to_float(values);
  const DeviceArray<float> on_device(device(), stream(), floats);
  for (const Dtype dtype : dtypes) {
    const DeviceMatrix converted(device(), stream(), Table(1, static_cast<std::int64_t>(floats.size()), 99.0),
                                 Padding::none, dtype);
    device().convert(floats.size(), on_device.data(), converted.data(), dtype, stream());
    EXPECT_EQ(converted.download().values, rounded(to_double(floats), dtype)) << name_of(dtype);
  }
}

TEST_F(Optimizer, AdvanceStepCountsAndMultipliesInOrder) {
  const AdamSettings settings{.beta1 = 0.9f, .beta2 = 0.999f};
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  StepState expected;
  for (int step = 0; step < steps; ++step) {
    device().advance_step(settings, state.data(), stream());
    expected.step += 1;
    expected.beta1_power *= static_cast<double>(settings.beta1);
    expected.beta2_power *= static_cast<double>(settings.beta2);
  }
  const StepState actual = state.download()[0];
  EXPECT_EQ(actual.step, expected.step);
  EXPECT_EQ(actual.beta1_power, expected.beta1_power);  // the same bits: both multiply in double, in order
  EXPECT_EQ(actual.beta2_power, expected.beta2_power);
}

}  // namespace
}  // namespace breakeven
