// SPDX-License-Identifier: Apache-2.0
// The Hopper kernels where every cluster takes several tiles in turn, with ragged edges and bands cut short,
// and where k is cut into many parts: against cuBLAS, on small whole numbers, so that every element must be
// exact.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tests/support/near.h"
#include "tests/support/product_under_test.h"

namespace breakeven {
namespace {

constexpr GemmShape shape{2100, 4100, 200};
constexpr GemmShape deep_shape{300, 520, 1000};    // each of eight parts has two steps
constexpr GemmShape long_shape{1000, 4500, 2100};  // many samples, where these are k

Operands whole_operands(GemmLayout layout, const GemmShape& of = shape) {
  Operands in = random_operands(layout, of);
  for (Table* table : {&in.a, &in.b}) {
    for (double& value : table->values) value = std::floor(value * 2.5 + 0.5);
  }
  return in;
}

// A weight and its bias, with moments of steps before, and what an update by a kernel makes of them.
struct Updated {
  Table parameter, first_moment, second_moment, working;
  std::vector<float> bias;
};

// A test for each precision and layout: all of them together would take a sanitizer too long.
class GemmHopper : public DeviceTest,
                   public testing::WithParamInterface<std::tuple<PrecisionInfo, GemmLayout>> {
 protected:
  void SetUp() override {
    const auto offered = device().gemm_kernels(precision(), layout());
    if (std::ranges::find(offered, GemmKernel::hopper) == offered.end())
      GTEST_SKIP() << "no Hopper kernel computes this: not in this precision, or not on this GPU";
  }

  static Precision precision() { return std::get<PrecisionInfo>(GetParam()).precision; }
  static GemmLayout layout() { return std::get<GemmLayout>(GetParam()); }

  static ProductMatrices matrices_of(const Operands& in, const GemmShape& of = shape) {
    return {device(), stream(), {layout(), precision(), {}, of}, in, Padding::to_16_bytes};
  }

  // All tiles of the kernel that a tuner may try.
  static std::vector<GemmVariant> variants(const ProductMatrices& matrices) {
    std::vector<GemmVariant> all = device().gemm_variants(matrices.product());
    std::erase_if(all, [](const GemmVariant& variant) { return variant.kernel != GemmKernel::hopper; });
    EXPECT_FALSE(all.empty());
    return all;
  }

  static Product wide_product(const ProductMatrices& matrices, const DeviceMatrix& c,
                              const GemmVariant& variant, const Epilogue& epilogue = StoreProduct{}) {
    const ProductCase& of = matrices.of;
    return {of.layout, of.precision, variant, matrices.a.view(), matrices.b.view(), c.view(), epilogue};
  }

  static DeviceMatrix wide_c(const GemmShape& of = shape) {
    return {device(), stream(), Table(of.m, of.n, std::numeric_limits<double>::quiet_NaN()),
            Padding::to_16_bytes};
  }

  // Every tile and split stores exactly what cuBLAS does. Returns the largest split.
  static int expect_exact(const GemmShape& of_shape) {
    const ProductMatrices matrices = matrices_of(whole_operands(layout(), of_shape), of_shape);
    const DeviceMatrix expected = wide_c(of_shape);
    device().gemm(wide_product(matrices, expected, {GemmKernel::cublas}), stream());
    const Table exact = expected.download();
    int max_split_k = 0;
    for (const GemmVariant& variant : variants(matrices)) {
      max_split_k = std::max(max_split_k, variant.split_k);
      const ProductCase of{layout(), precision(), variant, of_shape};
      SCOPED_TRACE(testing::Message() << of);
      const DeviceMatrix c = wide_c(of_shape);
      device().gemm(wide_product(matrices, c, variant), stream());
      EXPECT_TRUE(near(c.download().values, exact.values, 0.0));
    }
    return max_split_k;
  }

  static Updated update_with(const GemmVariant& variant, const ProductMatrices& matrices) {
    const GemmShape shape = matrices.of.shape;
    const auto tensor = [&](std::uint32_t salt, Dtype dtype) {
      Table table(shape.m, shape.n);
      table.values = random_values(table.values.size(), salt);
      for (double& value : table.values) value = std::abs(value) + 0.5;
      return DeviceMatrix(device(), stream(), table, Padding::to_16_bytes, dtype);
    };
    const DeviceMatrix p = tensor(1, Dtype::fp32), m = tensor(2, Dtype::fp32), v = tensor(3, Dtype::fp32),
                       working = tensor(4, info_of(matrices.of.precision).dtype);
    const DeviceMatrix c = wide_c(shape);
    const std::vector<float> ones(shape.m, 1.0f);
    const DeviceArray<float> bias(device(), stream(), ones), bias_m(device(), stream(), ones),
        bias_v(device(), stream(), ones), bias_gradient(device(), stream(), ones);
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    const AdamUpdate update{{.learning_rate = 0.02f},
                            state.data(),
                            {p.view().floats(), m.view().floats(), v.view().floats()},
                            working.view().dtype == Dtype::fp32 ? nullptr : working.data(),
                            {bias.data(), bias_m.data(), bias_v.data()},
                            bias_gradient.data()};
    device().gemm(wide_product(matrices, c, variant, update), stream());
    return {p.download(), m.download(), v.download(), working.download(), bias.download()};
  }
};

// Two roundings more or less in Adam's arithmetic, as compilers contract it, on values that were up to 2.
std::vector<double> rounding_of(const std::vector<double>& values) {
  std::vector<double> bound = values;
  for (double& value : bound) value = 4 * fp32_roundoff * (std::abs(value) + 2);
  return bound;
}

TEST_P(GemmHopper, IsExactOverManyTurns) { expect_exact(shape); }

TEST_P(GemmHopper, AddsManyPartsExactly) { EXPECT_EQ(expect_exact(deep_shape), 8); }

std::string name_of_product(const testing::TestParamInfo<GemmHopper::ParamType>& of) {
  return std::string(std::get<PrecisionInfo>(of.param).name) + "_" +
         std::string(name_of(std::get<GemmLayout>(of.param)));
}

INSTANTIATE_TEST_SUITE_P(All, GemmHopper,
                         testing::Combine(testing::ValuesIn(precisions), testing::ValuesIn(gemm_layouts)),
                         name_of_product);

// The products that make a weight's gradient.
class GemmHopperUpdate : public GemmHopper {
 protected:
  // A variant's update, against cuBLAS and a separate one.
  static void expect_update(const GemmVariant& variant, const ProductMatrices& matrices,
                            const Updated& expected) {
    const ProductCase of{layout(), precision(), variant, matrices.of.shape};
    SCOPED_TRACE(testing::Message() << of);
    const Updated updated = update_with(variant, matrices);
    const auto expect_table = [](const Table& actual, const Table& right) {
      EXPECT_TRUE(near(actual.values, right.values, rounding_of(right.values)));
    };
    expect_table(updated.parameter, expected.parameter);
    expect_table(updated.first_moment, expected.first_moment);
    expect_table(updated.second_moment, expected.second_moment);
    const Dtype dtype = info_of(precision()).dtype;
    if (dtype != Dtype::fp32) {
      EXPECT_EQ(updated.working.values, rounded(updated.parameter, dtype).values);
    }
    const std::vector<double> bias(expected.bias.begin(), expected.bias.end());
    EXPECT_TRUE(near(updated.bias, bias, rounding_of(bias)));
  }

  static void expect_sums_of_rows(const GemmShape& of_shape) {
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    const Operands in = whole_operands(layout(), of_shape);
    const std::vector<float> unset(of_shape.m, std::numeric_limits<float>::quiet_NaN());
    std::vector<double> exact(of_shape.m, 0.0);
    for (std::int64_t k = 0; k < of_shape.k; ++k) {
      for (std::int64_t row = 0; row < of_shape.m; ++row) {
        exact[static_cast<std::size_t>(row)] += in.a.at(k, row);
      }
    }
    const ProductMatrices matrices = matrices_of(in, of_shape);
    for (const GemmVariant& variant : variants(matrices)) {
      const ProductCase of{layout(), precision(), variant, of_shape};
      SCOPED_TRACE(testing::Message() << of);
      const DeviceMatrix c = wide_c(of_shape);
      const DeviceArray<float> sums(device(), stream(), unset);
      device().gemm(wide_product(matrices, c, variant, WeightGradient{sums.data(), state.data()}), stream());
      EXPECT_TRUE(near(sums.download(), exact, 0.0));
    }
  }
};

TEST_P(GemmHopperUpdate, UpdatesEveryWeight) {
  const ProductMatrices matrices = matrices_of(whole_operands(layout()), shape);
  const Updated expected = update_with({GemmKernel::cublas}, matrices);
  for (const GemmVariant& variant : variants(matrices)) {
    if (variant.split_k > 1) continue;  // an update of few steps has no use for a split of k
    expect_update(variant, matrices, expected);
  }
}

// With many samples an update, too, may split k.
TEST_P(GemmHopperUpdate, UpdatesByManySamples) {
  const ProductMatrices matrices = matrices_of(whole_operands(layout(), long_shape), long_shape);
  const Updated expected = update_with({GemmKernel::cublas}, matrices);
  for (const GemmVariant& variant : variants(matrices)) expect_update(variant, matrices, expected);
}

TEST_P(GemmHopperUpdate, SumsEveryRowForTheBias) { expect_sums_of_rows(shape); }

TEST_P(GemmHopperUpdate, SumsEveryRowOfManySamples) { expect_sums_of_rows(long_shape); }

INSTANTIATE_TEST_SUITE_P(All, GemmHopperUpdate,
                         testing::Combine(testing::ValuesIn(precisions), testing::Values(GemmLayout::tn)),
                         name_of_product);

}  // namespace
}  // namespace breakeven
