// SPDX-License-Identifier: Apache-2.0
// Adam's update in the product that is a weight's gradient, against float64, in every precision, with every
// kernel; and that an overflow keeps everything as it is.
#include <cmath>

#include "tests/support/epilogue_cases.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

// A tensor's parameters with moments of steps before, and what Adam makes of them in float64.
struct Parameters {
  std::vector<double> p, m, v;

  Parameters(std::size_t count, std::uint32_t salt)
      : p(random_values(count, salt)), m(random_values(count, salt + 1)), v(random_values(count, salt + 2)) {
    for (double& value : v) value = std::abs(value) + 0.01;
  }
  void update(const std::vector<double>& gradient, const AdamSettings& settings) {
    reference::adam(gradient, settings, static_cast<int>(epilogue_step) + 1, p, m, v);
  }
};

// One array of a tensor that a gradient within `gradient_bound` of the right one has updated: how far off it
// may be, from the updates by the gradients at both ends, and the roundings of Adam's own arithmetic.
std::vector<double> updated_bound(const std::vector<double>& expected, const std::vector<double>& with_less,
                                  const std::vector<double>& with_more) {
  std::vector<double> bound(expected.size());
  for (std::size_t i = 0; i < bound.size(); ++i) {
    bound[i] = 1.1 * std::abs(with_less[i] - expected[i]) + 1.1 * std::abs(with_more[i] - expected[i]) +
               8 * fp32_roundoff * (std::abs(expected[i]) + 0.1);
  }
  return bound;
}

class AdamEpilogue : public EpilogueTest {
 protected:
  static constexpr AdamSettings settings{.learning_rate = 0.02f};

  struct Tensor {
    DeviceMatrix p, m, v, working;
    Tensor(const Parameters& from, std::int64_t rows, std::int64_t cols, Padding padding, Dtype dtype)
        : p(table(from.p, rows, cols, padding)),
          m(table(from.m, rows, cols, padding)),
          v(table(from.v, rows, cols, padding)),
          working(device(), stream(), Table(rows, cols, 99.0), padding, dtype) {}
    AdamArrays arrays() const { return {p.view().floats(), m.view().floats(), v.view().floats()}; }

    static DeviceMatrix table(const std::vector<double>& values, std::int64_t rows, std::int64_t cols,
                              Padding padding) {
      Table of(rows, cols);
      of.values = values;
      return DeviceMatrix(device(), stream(), of, padding);
    }
  };

  static StepState state_before_update(Precision precision) {
    StepState state;
    for (std::uint32_t i = 0; i < epilogue_step; ++i) advance(state, settings.beta1, settings.beta2);
    state.growth_interval = 1000;
    state.loss_scale = loss_scale_of(precision);
    return state;
  }

  static void expect_updated(const Tensor& tensor, const Parameters& before,
                             const std::vector<double>& gradient, const std::vector<double>& bound) {
    std::vector<double> less = gradient;
    std::vector<double> more = gradient;
    for (std::size_t i = 0; i < bound.size(); ++i) {
      less[i] -= bound[i];
      more[i] += bound[i];
    }
    Parameters expected = before;
    Parameters with_less = before;
    Parameters with_more = before;
    expected.update(gradient, settings);
    with_less.update(less, settings);
    with_more.update(more, settings);
    EXPECT_TRUE(
        near(tensor.p.download().values, expected.p, updated_bound(expected.p, with_less.p, with_more.p)));
    EXPECT_TRUE(
        near(tensor.m.download().values, expected.m, updated_bound(expected.m, with_less.m, with_more.m)));
    EXPECT_TRUE(
        near(tensor.v.download().values, expected.v, updated_bound(expected.v, with_less.v, with_more.v)));
  }

  static void expect_unchanged(const Tensor& tensor, const Parameters& before) {
    EXPECT_EQ(tensor.p.download().values, before.p);
    EXPECT_EQ(tensor.m.download().values, before.m);
    EXPECT_EQ(tensor.v.download().values, rounded(before.v, Dtype::fp32));
    for (const double value : tensor.working.download().values) EXPECT_EQ(value, 99.0);
  }

  struct Run {
    ProductMatrices matrices;
    Parameters weight_before, bias_before;
    Tensor weight, bias;
    DeviceArray<float> bias_gradient;

    Run(const ProductCase& of, const Operands& in, Padding padding)
        : matrices(device(), stream(), of, in, padding),
          weight_before(static_cast<std::size_t>(of.shape.m * of.shape.n), 20),
          bias_before(static_cast<std::size_t>(of.shape.m), 30),
          weight(weight_before, of.shape.m, of.shape.n, padding, info_of(of.precision).dtype),
          bias(bias_before, 1, of.shape.m, Padding::none, Dtype::fp32),
          bias_gradient(device(), stream(), std::vector<float>(static_cast<std::size_t>(of.shape.m))) {}

    void launch(const StepState& state, bool keep_gradient) {
      const DeviceArray<StepState> on_device(device(), stream(), {state});
      const bool has_working = info_of(matrices.of.precision).dtype != Dtype::fp32;
      device().gemm(matrices.product(AdamUpdate{settings, on_device.data(), weight.arrays(),
                                                has_working ? weight.working.data() : nullptr, bias.arrays(),
                                                bias_gradient.data(), keep_gradient}),
                    stream());
      stream().synchronize();
    }
  };
};

TEST_F(AdamEpilogue, UpdatesWeightAndBias) {
  std::size_t turn = 0;
  for_every_case(GemmLayout::tn, [&](const ProductCase& of, const Operands& in,
                                     const reference::Product& exact, Padding padding) {
    Run run(of, in, padding);
    const bool keep_gradient = turn++ % 2 == 0;
    run.launch(state_before_update(of.precision), keep_gradient);
    Table gradient = exact.c;
    scale_by(1 / loss_scale_of(of.precision), gradient.values);
    std::vector<double> bound = sum_bound(of, exact);
    scale_by(1 / loss_scale_of(of.precision), bound);
    expect_updated(run.weight, run.weight_before, gradient.values, bound);
    const ExpectedBiasGradient bias(of, in.a, loss_scale_of(of.precision));
    expect_updated(run.bias, run.bias_before, bias.expected, bias.bound);
    if (keep_gradient) {
      EXPECT_TRUE(near(run.matrices.c.download().values, gradient.values,
                       stored_bound(bound, gradient, Dtype::fp32)));
      EXPECT_TRUE(near(run.bias_gradient.download(), bias.expected, bias.bound));
    }
    const Dtype dtype = info_of(of.precision).dtype;
    if (dtype == Dtype::fp32) return;
    EXPECT_EQ(run.weight.working.download().values, rounded(run.weight.p.download(), dtype).values);
  });
}

TEST_F(AdamEpilogue, ChangesNothingAfterAnOverflow) {
  for_every_case(GemmLayout::tn,
                 [](const ProductCase& of, const Operands& in, const reference::Product&, Padding padding) {
                   Run run(of, in, padding);
                   StepState state = state_before_update(of.precision);
                   state.overflow = 1;
                   run.launch(state, false);
                   expect_unchanged(run.weight, run.weight_before);
                   expect_unchanged(run.bias, run.bias_before);
                 });
}

}  // namespace
}  // namespace breakeven
