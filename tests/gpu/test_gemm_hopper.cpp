// SPDX-License-Identifier: Apache-2.0
// The Hopper kernel where every cluster takes several tiles in turn, with ragged edges and bands cut short:
// against cuBLAS, on small whole numbers, so that every element must be exact.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/near.h"
#include "tests/support/product_under_test.h"

namespace breakeven {
namespace {

constexpr GemmShape shape{2100, 4100, 200};
constexpr Precision sixteen_bits[] = {Precision::bf16, Precision::fp16};

Operands whole_operands(GemmLayout layout) {
  Operands in = random_operands(layout, shape);
  for (Table* table : {&in.a, &in.b}) {
    for (double& value : table->values) value = std::floor(value * 2.5 + 0.5);
  }
  return in;
}

class GemmHopper : public DeviceTest {
 protected:
  void SetUp() override {
    const auto kernels = device().gemm_kernels(Precision::bf16);
    if (std::find(kernels.begin(), kernels.end(), GemmKernel::hopper) == kernels.end()) {
      GTEST_SKIP() << "needs a GPU of compute capability 9.0";
    }
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

  static DeviceMatrix wide_c() {
    return {device(), stream(), Table(shape.m, shape.n, std::numeric_limits<double>::quiet_NaN()),
            Padding::to_16_bytes};
  }
};

TEST_F(GemmHopper, IsExactOverManyTurns) {
  for (const GemmLayout layout : layouts) {
    const Operands in = whole_operands(layout);
    for (const Precision precision : sixteen_bits) {
      const ProductMatrices matrices(device(), stream(), {layout, precision, {}, shape}, in,
                                     Padding::to_16_bytes);
      const DeviceMatrix expected = wide_c();
      device().gemm(wide_product(matrices, expected, {GemmKernel::cublas}), stream());
      const Table exact = expected.download();
      for (const GemmVariant& variant : variants(matrices)) {
        const ProductCase of{layout, precision, variant, shape};
        SCOPED_TRACE(testing::Message() << of);
        const DeviceMatrix c = wide_c();
        device().gemm(wide_product(matrices, c, variant), stream());
        EXPECT_TRUE(near(c.download().values, exact.values, 0.0));
      }
    }
  }
}

TEST_F(GemmHopper, SumsEveryRowForTheBias) {
  const Operands in = whole_operands(GemmLayout::tn);
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const std::vector<float> unset(shape.m, std::numeric_limits<float>::quiet_NaN());
  for (const Precision precision : sixteen_bits) {
    const ProductMatrices matrices(device(), stream(), {GemmLayout::tn, precision, {}, shape}, in,
                                   Padding::to_16_bytes);
    std::vector<double> exact(shape.m, 0.0);
    for (std::int64_t k = 0; k < shape.k; ++k) {
      for (std::int64_t row = 0; row < shape.m; ++row) {
        exact[static_cast<std::size_t>(row)] += in.a.at(k, row);
      }
    }
    for (const GemmVariant& variant : variants(matrices)) {
      const ProductCase of{GemmLayout::tn, precision, variant, shape};
      SCOPED_TRACE(testing::Message() << of);
      const DeviceMatrix c = wide_c();
      const DeviceArray<float> sums(device(), stream(), unset);
      device().gemm(wide_product(matrices, c, variant, WeightGradient{sums.data(), state.data()}), stream());
      EXPECT_TRUE(near(sums.download(), exact, 0.0));
    }
  }
}

}  // namespace
}  // namespace breakeven
