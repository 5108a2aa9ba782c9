// SPDX-License-Identifier: Apache-2.0
// Every epilogue of a product against float64, in every precision, with every kernel: the sums' error carried
// through what becomes of them, and one rounding to the element that is stored.
#include <cmath>
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"
#include "tests/support/product_under_test.h"

namespace breakeven {
namespace {

constexpr std::uint32_t step = 6;
constexpr float loss_scale = 64;
constexpr double infinity = std::numeric_limits<double>::infinity();

const GemmShape shapes[] = {{33, 31, 127}, {129, 65, 33}, {1, 127, 31},
                            {64, 128, 64}, {127, 1, 129}, {31, 130, 70}};

class Epilogues : public DeviceTest {
 protected:
  // Calls check(case, operands as stored, their product in float64, padding).
  template <typename Check>
  static void for_every_case(GemmLayout layout, const Check& check) {
    std::size_t turn = 0;
    for (const GemmShape& shape : shapes) {
      ReferenceProducts products;
      for (const PrecisionInfo& info : precisions) {
        const Operands in = rounded(random_operands(layout, shape), info.element);
        for (const GemmKernel kernel : device().gemm_kernels(info.precision)) {
          const ProductCase of{layout, info.precision, kernel, shape};
          const Padding padding = paddings[turn++ % std::size(paddings)];
          SCOPED_TRACE(testing::Message() << of << ", padding kind " << static_cast<int>(padding));
          check(of, in, products.of(layout, in, info.element), padding);
        }
      }
    }
  }

  // Values that are the same in every element, as an epilogue and cuBLASLt's copy of a bias have them.
  static std::vector<double> bias_values(std::int64_t count, Element element) {
    return rounded(random_values(static_cast<std::size_t>(count), 3), element);
  }

  static DeviceArray<float> array(const std::vector<double>& values) {
    return DeviceArray<float>(device(), stream(), to_float(values));
  }

  static DeviceMatrix working_copy(const std::vector<double>& values, Element element) {
    Table row(1, static_cast<std::int64_t>(values.size()));
    row.values = values;
    return DeviceMatrix(device(), stream(), row, Padding::none, element);
  }

  static Dropout dropout() { return {.rate = 0.3f, .seed = 77, .layer = 2, .first_sample = 5}; }

  // The bound of sums to which a bias has been added in fp32.
  static std::vector<double> biased_bound(const ProductCase& of, const reference::Product& exact,
                                          const std::vector<double>& bias) {
    std::vector<double> bound = sum_bound(of, exact);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      bound[i] += 2 * fp32_roundoff * (std::abs(exact.c.values[i]) + std::abs(bias[i % bias.size()]));
    }
    return bound;
  }

  static void scale_by(double factor, std::vector<double>& values) {
    for (double& value : values) value *= factor;
  }
};

TEST_F(Epilogues, AddABias) {
  for_every_case(GemmLayout::nt, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Element element = matrices.c.view().element;
    const std::vector<double> values = bias_values(of.shape.n, element);
    const DeviceArray<float> bias = array(values);
    const DeviceMatrix copy = working_copy(values, element);
    device().gemm(matrices.product(AddBias{bias.data(), copy.data()}), stream());
    Table expected = exact.c;
    reference::add_bias(values, expected);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values,
                     stored_bound(biased_bound(of, exact, values), expected, element)));
  });
}

TEST_F(Epilogues, BiasReluAndDropout) {
  for_every_case(GemmLayout::nt, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Element element = matrices.c.view().element;
    const std::vector<double> values = bias_values(of.shape.n, element);
    const DeviceArray<float> bias = array(values);
    const DeviceMatrix copy = working_copy(values, element);
    const DeviceArray<StepState> state = state_at(device(), stream(), step);
    device().gemm(matrices.product(BiasReluDropout{bias.data(), dropout(), state.data(), copy.data()}),
                  stream());
    Table expected = exact.c;
    reference::bias_relu_dropout(values, dropout(), step, expected);
    std::vector<double> bound = biased_bound(of, exact, values);  // ReLU never makes a difference larger
    scale_by(1.01 / (1 - dropout().rate), bound);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values, stored_bound(bound, expected, element)));
  });
}

TEST_F(Epilogues, SquaredErrorAndItsGradient) {
  for_every_case(GemmLayout::nt, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Table target = random_table(of.shape.m, of.shape.n, 4);
    const std::vector<double> values = random_values(static_cast<std::size_t>(of.shape.n), 3);
    const DeviceMatrix target_on_device(device(), stream(), target, Padding::to_16_bytes);
    const DeviceArray<float> bias = array(values);
    const DeviceArray<float> losses(device(), stream(), {-7, -7, -7, -7});
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), step, loss_scale);
    const auto global_batch = static_cast<std::uint32_t>(3 * of.shape.m);
    device().gemm(matrices.product(SquaredErrorLoss{bias.data(), target_on_device.view(), global_batch,
                                                    state.data(), losses.span()}),
                  stream());
    Table y = exact.c;
    reference::add_bias(values, y);
    reference::Loss expected = reference::mean_squared_error(y, target, global_batch);
    const double per_value = 2.0 / (global_batch * static_cast<double>(of.shape.n));
    std::vector<double> bound = biased_bound(of, exact, values);
    double loss_bound = 1e-6 * expected.loss;
    for (std::size_t i = 0; i < bound.size(); ++i) {
      bound[i] += 4 * fp32_roundoff * (std::abs(y.values[i]) + std::abs(target.values[i]));
      loss_bound += (std::abs(expected.dy.values[i]) + per_value * bound[i]) * bound[i];
    }
    scale_by(1.01 * per_value * loss_scale, bound);
    scale_by(loss_scale, expected.dy.values);
    EXPECT_TRUE(near(matrices.c.download().values, expected.dy.values,
                     stored_bound(bound, expected.dy, matrices.c.view().element)));
    EXPECT_TRUE(near(losses.download()[step % 4], expected.loss, loss_bound));
    EXPECT_EQ(losses.download()[(step + 1) % 4], -7);
    EXPECT_EQ(state.download()[0].overflow, 0u);
  });
}

TEST_F(Epilogues, BackThroughReluAndDropout) {
  for_every_case(GemmLayout::nn, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Element element = matrices.c.view().element;
    Table activation = random_table(of.shape.m, of.shape.n, 5);
    for (double& value : activation.values) value = std::max(0.0, value);
    const DeviceMatrix h(device(), stream(), activation, padding, element);
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), step, loss_scale);
    device().gemm(matrices.product(ReluDropoutBackward{h.view(), dropout().rate, state.data()}), stream());
    Table expected = exact.c;
    reference::relu_dropout_backward(rounded(activation, element), dropout().rate, expected);
    std::vector<double> bound = sum_bound(of, exact);
    for (std::size_t i = 0; i < bound.size(); ++i)
      bound[i] += 4 * fp32_roundoff * std::abs(exact.c.values[i]);
    scale_by(1.01 / (1 - dropout().rate), bound);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values, stored_bound(bound, expected, element)));
    EXPECT_EQ(state.download()[0].overflow, 0u);
  });
}

// The gradient of a bias: the column sums of dY, which is A, and their bound.
struct BiasGradient {
  std::vector<double> expected, bound;

  BiasGradient(const ProductCase& of, const Table& dy, double scale)
      : expected(reference::bias_gradient(dy)) {
    const double relative =
        2 * static_cast<double>(dy.rows + 2) * fp32_roundoff + operand_error(of.precision);
    Table sizes = dy;
    for (double& value : sizes.values) value = std::abs(value);
    for (const double size : reference::bias_gradient(sizes)) bound.push_back(relative * size / scale);
    for (double& value : expected) value /= scale;
  }
};

TEST_F(Epilogues, GradientsOfWeightAndBias) {
  for_every_case(GemmLayout::tn, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const DeviceArray<float> db(device(), stream(),
                                std::vector<float>(static_cast<std::size_t>(of.shape.m), 77.0f));
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), step, loss_scale);
    device().gemm(matrices.product(WeightGradient{db.data(), state.data()}), stream());
    Table expected = exact.c;
    scale_by(1 / loss_scale, expected.values);
    std::vector<double> bound = sum_bound(of, exact);
    scale_by(1 / loss_scale, bound);
    EXPECT_TRUE(
        near(matrices.c.download().values, expected.values, stored_bound(bound, expected, Element::fp32)));
    const BiasGradient bias(of, in.a, loss_scale);
    EXPECT_TRUE(near(db.download(), bias.expected, bias.bound));
  });
}

// A tensor's parameters with moments of steps before, and what Adam makes of them in float64.
struct Parameters {
  std::vector<double> p, m, v;

  Parameters(std::size_t count, std::uint32_t salt)
      : p(random_values(count, salt)), m(random_values(count, salt + 1)), v(random_values(count, salt + 2)) {
    for (double& value : v) value = std::abs(value) + 0.01;
  }
  void update(const std::vector<double>& gradient, const AdamSettings& settings) {
    reference::adam(gradient, settings, static_cast<int>(step) + 1, p, m, v);
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

class AdamEpilogue : public Epilogues {
 protected:
  static constexpr AdamSettings settings{.learning_rate = 0.02f};

  struct Tensor {
    DeviceMatrix p, m, v, working;
    Tensor(const Parameters& from, std::int64_t rows, std::int64_t cols, Padding padding, Element element)
        : p(table(from.p, rows, cols, padding)),
          m(table(from.m, rows, cols, padding)),
          v(table(from.v, rows, cols, padding)),
          working(device(), stream(), Table(rows, cols, 99.0), padding, element) {}
    AdamArrays arrays() const { return {p.view().floats(), m.view().floats(), v.view().floats()}; }

    static DeviceMatrix table(const std::vector<double>& values, std::int64_t rows, std::int64_t cols,
                              Padding padding) {
      Table of(rows, cols);
      of.values = values;
      return DeviceMatrix(device(), stream(), of, padding);
    }
  };

  static StepState state_before_update() {
    StepState state;
    for (std::uint32_t i = 0; i < step; ++i) advance(state, settings.beta1, settings.beta2);
    state.growth_interval = 1000;
    state.loss_scale = loss_scale;
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
    EXPECT_EQ(tensor.v.download().values, rounded(before.v, Element::fp32));
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
          weight(weight_before, of.shape.m, of.shape.n, padding, info_of(of.precision).element),
          bias(bias_before, 1, of.shape.m, Padding::none, Element::fp32),
          bias_gradient(device(), stream(), std::vector<float>(static_cast<std::size_t>(of.shape.m))) {}

    void launch(const StepState& state, bool keep_gradient) {
      const DeviceArray<StepState> on_device(device(), stream(), {state});
      const bool has_working = info_of(matrices.of.precision).element != Element::fp32;
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
    run.launch(state_before_update(), keep_gradient);
    Table gradient = exact.c;
    scale_by(1 / loss_scale, gradient.values);
    std::vector<double> bound = sum_bound(of, exact);
    scale_by(1 / loss_scale, bound);
    expect_updated(run.weight, run.weight_before, gradient.values, bound);
    const BiasGradient bias(of, in.a, loss_scale);
    expect_updated(run.bias, run.bias_before, bias.expected, bias.bound);
    if (keep_gradient) {
      EXPECT_TRUE(near(run.matrices.c.download().values, gradient.values,
                       stored_bound(bound, gradient, Element::fp32)));
      EXPECT_TRUE(near(run.bias_gradient.download(), bias.expected, bias.bound));
    }
    const Element element = info_of(of.precision).element;
    if (element == Element::fp32) return;
    EXPECT_EQ(run.weight.working.download().values, rounded(run.weight.p.download(), element).values);
  });
}

TEST_F(AdamEpilogue, ChangesNothingAfterAnOverflow) {
  for_every_case(GemmLayout::tn,
                 [](const ProductCase& of, const Operands& in, const reference::Product&, Padding padding) {
                   Run run(of, in, padding);
                   StepState state = state_before_update();
                   state.overflow = 1;
                   run.launch(state, false);
                   expect_unchanged(run.weight, run.weight_before);
                   expect_unchanged(run.bias, run.bias_before);
                 });
}

// What is too large for the element that is stored, in one place alone: told with loss scaling, and in sight
// without it.
class Overflow : public Epilogues {
 protected:
  static Operands with_one_huge(GemmLayout layout, const GemmShape& shape, double huge) {
    Operands in = random_operands(layout, shape);
    in.a.at(shape.m / 2, shape.k / 2) = huge;
    return in;
  }

  // Calls run(matrices, state) for every kernel, for sums that overflow `element` and for sums that do not.
  template <typename Run>
  static void expect_told(GemmLayout layout, const Run& run) {
    const GemmShape shape{33, 67, 40};
    for (const PrecisionInfo& info : precisions) {
      const double largest = format_of(info.element).largest;
      for (const GemmKernel kernel : device().gemm_kernels(info.precision)) {
        const ProductCase of{layout, info.precision, kernel, shape};
        for (const double huge : {1.0, 0.99 * largest, infinity, std::nan("")}) {
          for (const std::uint32_t growth_interval : {0u, 1000u}) {
            SCOPED_TRACE(testing::Message() << of << ", one is " << huge << ", growth " << growth_interval);
            const ProductMatrices matrices(device(), stream(), of, with_one_huge(layout, shape, huge),
                                           Padding::to_16_bytes);
            StepState before;
            before.step = step;
            before.growth_interval = growth_interval;
            before.loss_scale = 4096;
            const DeviceArray<StepState> state(device(), stream(), {before});
            run(matrices, state);
            const StepState after = state.download()[0];
            const bool overflows = huge != 1;
            EXPECT_EQ(after.overflow, overflows && growth_interval > 0 ? 1u : 0u);
            EXPECT_EQ(after.step, before.step);
            EXPECT_EQ(after.loss_scale, before.loss_scale);
            std::size_t not_finite = 0;
            for (const double value : matrices.c.download().values)
              not_finite += std::isfinite(value) ? 0 : 1;
            EXPECT_EQ(not_finite > 0, overflows);
          }
        }
      }
    }
  }
};

TEST_F(Overflow, OfALossIsTold) {
  expect_told(GemmLayout::nt, [](const ProductMatrices& matrices, const DeviceArray<StepState>& state) {
    const GemmShape& shape = matrices.of.shape;
    const DeviceMatrix target(device(), stream(), Table(shape.m, shape.n), Padding::to_16_bytes);
    const DeviceArray<float> bias = array(std::vector<double>(static_cast<std::size_t>(shape.n), 0.0));
    const DeviceArray<float> losses(device(), stream(), {0});
    device().gemm(
        matrices.product(SquaredErrorLoss{bias.data(), target.view(), 1, state.data(), losses.span()}),
        stream());
    stream().synchronize();
  });
}

TEST_F(Overflow, OfAGradientIsTold) {
  expect_told(GemmLayout::nn, [](const ProductMatrices& matrices, const DeviceArray<StepState>& state) {
    const GemmShape& shape = matrices.of.shape;
    const DeviceMatrix h(device(), stream(), Table(shape.m, shape.n, 1.0), Padding::to_16_bytes,
                         matrices.c.view().element);
    device().gemm(matrices.product(ReluDropoutBackward{h.view(), 0.9f, state.data()}), stream());
    stream().synchronize();
  });
}

}  // namespace
}  // namespace breakeven
