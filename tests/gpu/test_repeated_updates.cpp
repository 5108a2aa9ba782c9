// SPDX-License-Identifier: Apache-2.0
// Updates whose k is divided over the blocks of a cluster, many times over and with another kernel's numbers
// left in shared memory in between: the weights must be the same bits in every repetition. A block that reads
// what one of its threads has still to write there is right nearly every time.
#include <algorithm>
#include <cmath>

#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

constexpr AdamSettings settings{.learning_rate = 0.01f};
constexpr std::int64_t units = 16, inputs = 512, samples = 512, other_side = 2048;

class RepeatedUpdates : public DeviceTest, public testing::WithParamInterface<int> {
 protected:
  static DeviceMatrix matrix(std::int64_t rows, std::int64_t cols, std::uint32_t salt, Dtype dtype) {
    return {device(), stream(), random_table(rows, cols, salt), Padding::none, dtype};
  }
  static DeviceMatrix zeros(std::int64_t rows, std::int64_t cols, Dtype dtype = Dtype::fp32) {
    return {device(), stream(), Table(rows, cols), Padding::none, dtype};
  }

  // Large numbers, for the shared memory of every multiprocessor from its first byte on, which is where the
  // update's own variables lie.
  struct Other {
    DeviceMatrix a{device(), stream(), Table(other_side, other_side, 1e30), Padding::none, Dtype::bf16};
    DeviceMatrix c = zeros(other_side, other_side);

    void launch() const {
      device().gemm(
          Product{GemmLayout::nn, Precision::bf16, {GemmKernel::hopper}, a.view(), a.view(), c.view()},
          stream());
    }
  };

  // The weights after all updates.
  static std::vector<double> weights_after(int split_k, const Other& other) {
    const DeviceMatrix gradient = matrix(samples, units, 1, Dtype::bf16);
    const DeviceMatrix input = matrix(samples, inputs, 2, Dtype::bf16);
    const DeviceMatrix weight = matrix(units, inputs, 3, Dtype::fp32);
    const DeviceMatrix first = zeros(units, inputs), second = zeros(units, inputs), c = zeros(units, inputs);
    const DeviceMatrix working = zeros(units, inputs, Dtype::bf16);
    const DeviceMatrix bias = zeros(1, units), bias_first = zeros(1, units), bias_second = zeros(1, units),
                       bias_gradient = zeros(1, units);
    const DeviceArray<StepState> state(device(), stream(), {StepState{}});
    const AdamUpdate update{settings,
                            state.data(),
                            {weight.view().floats(), first.view().floats(), second.view().floats()},
                            working.data(),
                            {bias.view().floats(), bias_first.view().floats(), bias_second.view().floats()},
                            bias_gradient.view().floats()};
    const GemmVariant divided{GemmKernel::tensor_core, 0, split_k};
    const int count = under_sanitizer() ? 4 : 400;
    for (int i = 0; i < count; ++i) {
      other.launch();
      device().gemm(
          Product{GemmLayout::tn, Precision::bf16, divided, gradient.view(), input.view(), c.view(), update},
          stream());
      device().advance_step(settings, state.data(), stream());
    }
    return weight.download().values;
  }
};

TEST_P(RepeatedUpdates, AreTheSameBits) {
  const auto kernels = device().gemm_kernels(Precision::bf16);
  if (std::find(kernels.begin(), kernels.end(), GemmKernel::hopper) == kernels.end())
    GTEST_SKIP() << "needs a GPU of compute capability 9.0, whose blocks come in clusters";
  const Other other;
  const std::vector<double> expected = weights_after(GetParam(), other);
  for (const double value : expected) ASSERT_TRUE(std::isfinite(value));
  for (int repetition = 0; repetition < 5; ++repetition) {
    ASSERT_EQ(weights_after(GetParam(), other), expected) << "repetition " << repetition;
  }
}

INSTANTIATE_TEST_SUITE_P(InParts, RepeatedUpdates, testing::Values(1, 2, 4, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace breakeven
