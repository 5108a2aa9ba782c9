// SPDX-License-Identifier: Apache-2.0
// The epilogues of forward and backward products against float64, in every precision, with every kernel: the
// sums' error carried through what becomes of them, and one rounding to the dtype that is stored.
#include <cmath>

#include "tests/support/epilogue_cases.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Epilogues : public EpilogueTest {};

TEST_F(Epilogues, AddABias) {
  for_every_case(GemmLayout::nt, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Dtype dtype = matrices.c.view().dtype;
    const std::vector<double> values = bias_values(of.shape.n, dtype);
    const DeviceArray<float> bias = array(values);
    const DeviceMatrix copy = working_copy(values, dtype);
    device().gemm(matrices.product(AddBias{bias.data(), copy.data()}), stream());
    Table expected = exact.c;
    reference::add_bias(values, expected);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values,
                     stored_bound(biased_bound(of, exact, dtype, expected), expected, dtype)));
  });
}

TEST_F(Epilogues, BiasReluAndDropout) {
  for_every_case(GemmLayout::nt, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Dtype dtype = matrices.c.view().dtype;
    const std::vector<double> values = bias_values(of.shape.n, dtype);
    const DeviceArray<float> bias = array(values);
    const DeviceMatrix copy = working_copy(values, dtype);
    const DeviceArray<StepState> state = state_at(device(), stream(), epilogue_step);
    device().gemm(matrices.product(BiasReluDropout{bias.data(), dropout(), state.data(), copy.data()}),
                  stream());
    Table y = exact.c;
    reference::add_bias(values, y);
    std::vector<double> bound = biased_bound(of, exact, dtype, y);  // ReLU makes no difference larger
    Table expected = exact.c;
    reference::bias_relu_dropout(values, dropout(), epilogue_step, expected);
    scale_by(1.01 / (1 - dropout().rate), bound);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values, stored_bound(bound, expected, dtype)));
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
    const DeviceArray<StepState> state =
        scaled_state_at(device(), stream(), epilogue_step, loss_scale_of(of.precision));
    const auto global_batch = static_cast<std::uint32_t>(3 * of.shape.m);
    device().gemm(matrices.product(SquaredErrorLoss{bias.data(), target_on_device.view(), global_batch,
                                                    state.data(), losses.span()}),
                  stream());
    Table y = exact.c;
    reference::add_bias(values, y);
    reference::Loss expected = reference::mean_squared_error(y, target, global_batch);
    const double per_value = 2.0 / (global_batch * static_cast<double>(of.shape.n));
    const Dtype dtype = matrices.c.view().dtype;
    std::vector<double> bound = biased_bound(of, exact, dtype, y);
    if (may_store_between(of.variant.kernel)) bound = stored_bound(bound, y, dtype);
    double loss_bound = 1e-6 * expected.loss;
    for (std::size_t i = 0; i < bound.size(); ++i) {
      bound[i] += 4 * fp32_roundoff * (std::abs(y.values[i]) + std::abs(target.values[i]));
      loss_bound += (std::abs(expected.dy.values[i]) + per_value * bound[i]) * bound[i];
    }
    scale_by(1.01 * per_value * loss_scale_of(of.precision), bound);
    scale_by(loss_scale_of(of.precision), expected.dy.values);
    EXPECT_TRUE(
        near(matrices.c.download().values, expected.dy.values, stored_bound(bound, expected.dy, dtype)));
    EXPECT_TRUE(near(losses.download()[epilogue_step % 4], expected.loss, loss_bound));
    EXPECT_EQ(losses.download()[(epilogue_step + 1) % 4], -7);
    EXPECT_EQ(state.download()[0].overflow, 0u);
  });
}

TEST_F(Epilogues, BackwardThroughReluAndDropout) {
  for_every_case(GemmLayout::nn, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const Dtype dtype = matrices.c.view().dtype;
    Table activation = random_table(of.shape.m, of.shape.n, 5);
    for (double& value : activation.values) value = std::max(0.0, value);
    const DeviceMatrix h(device(), stream(), activation, padding, dtype);
    const DeviceArray<StepState> state =
        scaled_state_at(device(), stream(), epilogue_step, loss_scale_of(of.precision));
    device().gemm(matrices.product(ReluDropoutBackward{h.view(), dropout().rate, state.data()}), stream());
    Table expected = exact.c;
    reference::relu_dropout_backward(rounded(activation, dtype), dropout().rate, expected);
    std::vector<double> bound = found_bound(of, exact, dtype);
    for (std::size_t i = 0; i < bound.size(); ++i)
      bound[i] += 4 * fp32_roundoff * std::abs(exact.c.values[i]);
    scale_by(1.01 / (1 - dropout().rate), bound);
    EXPECT_TRUE(near(matrices.c.download().values, expected.values, stored_bound(bound, expected, dtype)));
    EXPECT_EQ(state.download()[0].overflow, 0u);
  });
}

TEST_F(Epilogues, GradientsOfWeightAndBias) {
  for_every_case(GemmLayout::tn, [](const ProductCase& of, const Operands& in,
                                    const reference::Product& exact, Padding padding) {
    const ProductMatrices matrices(device(), stream(), of, in, padding);
    const DeviceArray<float> db(device(), stream(),
                                std::vector<float>(static_cast<std::size_t>(of.shape.m), 77.0f));
    const DeviceArray<StepState> state =
        scaled_state_at(device(), stream(), epilogue_step, loss_scale_of(of.precision));
    device().gemm(matrices.product(WeightGradient{db.data(), state.data()}), stream());
    Table expected = exact.c;
    scale_by(1 / loss_scale_of(of.precision), expected.values);
    std::vector<double> bound = sum_bound(of, exact);
    scale_by(1 / loss_scale_of(of.precision), bound);
    EXPECT_TRUE(
        near(matrices.c.download().values, expected.values, stored_bound(bound, expected, Dtype::fp32)));
    const ExpectedBiasGradient bias(of, in.a, loss_scale_of(of.precision));
    EXPECT_TRUE(near(db.download(), bias.expected, bias.bound));
  });
}

}  // namespace
}  // namespace breakeven
