// SPDX-License-Identifier: Apache-2.0
// Every GEMM kernel of the device in every precision against three loops in double: all layouts, all leading
// dimensions, every size in every role.
#include <cmath>
#include <limits>
#include <string>

#include "src/core/failure.h"
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"
#include "tests/support/product_under_test.h"

namespace breakeven {
namespace {

// Every size is m, n and k at least twice, in pairings that meet larger and smaller partners.
std::vector<GemmShape> shapes() {
  std::vector<GemmShape> all;
  constexpr std::size_t count = std::size(odd_sizes);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({odd_sizes[i], odd_sizes[(i + 1) % count], odd_sizes[(i + 3) % count]});
    all.push_back({odd_sizes[i], odd_sizes[(i + 4) % count], odd_sizes[(i + 5) % count]});
    if (odd_sizes[i] < 200) all.push_back({odd_sizes[i], odd_sizes[i], odd_sizes[i]});
  }
  return all;
}

// Whole numbers from -2 to 2, whose products and sums every kernel must get exactly in every precision.
void round_to_whole(Table& table) {
  for (double& value : table.values) value = std::floor(value * 2.5 + 0.5);
}

class Gemm : public DeviceTest {
 protected:
  // C begins as NaN, so that an element left alone or multiplied by zero shows.
  static Table multiply(const ProductCase& of, const Operands& in, Padding padding, Dtype c_dtype) {
    const Dtype dtype = info_of(of.precision).dtype;
    const DeviceMatrix a(device(), stream(), in.a, padding, dtype);
    const DeviceMatrix b(device(), stream(), in.b, padding, dtype);
    const DeviceMatrix c(device(), stream(),
                         Table(of.shape.m, of.shape.n, std::numeric_limits<double>::quiet_NaN()), padding,
                         c_dtype);
    device().gemm({of.layout, of.precision, of.variant, a.view(), b.view(), c.view(), StoreProduct{}},
                  stream());
    return c.download();
  }

  // Calls check(case, operands, padding, dtype of C) for every precision and kernel, in turn with every
  // padding and both dtypes that C may have.
  template <typename Check>
  static void for_every_kernel(GemmLayout layout, const GemmShape& shape, const Check& check) {
    static std::size_t turn = 0;
    for (const PrecisionInfo& info : precisions) {
      const Operands in = rounded(random_operands(layout, shape), info.dtype);
      for (const GemmKernel kernel : device().gemm_kernels(info.precision, layout)) {
        const ProductCase of{layout, info.precision, {kernel}, shape};
        const bool wide = layout == GemmLayout::tn || turn / std::size(paddings) % 2 == 0;
        const Padding padding = paddings[turn++ % std::size(paddings)];
        SCOPED_TRACE(testing::Message() << of << ", padding kind " << static_cast<int>(padding));
        check(of, in, padding, wide ? Dtype::fp32 : info.dtype);
      }
    }
  }
};

TEST_F(Gemm, EveryPrecisionHasADefaultKernel) {
  for (const PrecisionInfo& info : precisions) {
    ASSERT_FALSE(device().gemm_kernels(info.precision).empty()) << info.name;
  }
}

TEST_F(Gemm, AgreesWithDoubleWithinRounding) {
  for (const GemmLayout layout : gemm_layouts) {
    for (const GemmShape& shape : shapes()) {
      ReferenceProducts expected;
      for_every_kernel(
          layout, shape, [&](const ProductCase& of, const Operands& in, Padding padding, Dtype c_dtype) {
            const reference::Product& product = expected.of(layout, in, info_of(of.precision).dtype);
            const Table c = multiply(of, in, padding, c_dtype);
            EXPECT_TRUE(near(c.values, product.c.values, product_bound(of, product, c_dtype)));
            EXPECT_TRUE(near(frobenius_error(c.values, product.c.values), 0, frobenius_limit(of, c_dtype)));
          });
    }
  }
}

// 1 + 2^-12 is 1 in TF32, rounded or cut off, and itself in fp32 and as two TF32 numbers: what a kernel says
// it computes in is what it computes in. (What cuBLAS computes in is its own choice.)
TEST_F(Gemm, ComputesInThePrecisionThatIsAskedFor) {
  const GemmShape shape{64, 64, 32};
  const Operands in{Table(64, 32, 1 + 0x1p-12), Table(64, 32, 1.0)};
  for (const Precision precision : {Precision::fp32, Precision::tf32x3, Precision::tf32}) {
    for (const GemmKernel kernel : device().gemm_kernels(precision, GemmLayout::nt)) {
      if (kernel == GemmKernel::cublas || kernel == GemmKernel::cublaslt) continue;
      const ProductCase of{GemmLayout::nt, precision, {kernel}, shape};
      SCOPED_TRACE(of);
      const double expected = precision == Precision::tf32 ? 32 : 32 + 0x1p-7;
      EXPECT_EQ(multiply(of, in, Padding::to_16_bytes, Dtype::fp32).values, Table(64, 64, expected).values);
    }
  }
}

TEST_F(Gemm, IsExactOnSmallWholeNumbersWithAnyLeadingDimension) {
  for (const GemmLayout layout : gemm_layouts) {
    for (const GemmShape& shape :
         {GemmShape{33, 129, 31}, GemmShape{127, 31, 57}, GemmShape{1, 33, 127}, GemmShape{64, 128, 32}}) {
      Operands in = random_operands(layout, shape);
      round_to_whole(in.a);
      round_to_whole(in.b);
      const reference::Product expected = reference::gemm(layout, in.a, in.b);
      for_every_kernel(layout, shape, [&](const ProductCase& of, const Operands&, Padding, Dtype c_dtype) {
        for (const Padding padding : paddings) {
          const Table c = multiply(of, in, padding, c_dtype);
          EXPECT_TRUE(near(c.values, rounded(expected.c, c_dtype).values, 0.0));
        }
      });
    }
  }
}

TEST_F(Gemm, RepeatsBitForBit) {
  for (const GemmLayout layout : gemm_layouts) {
    for_every_kernel(layout, {129, 127, 799},
                     [&](const ProductCase& of, const Operands& in, Padding padding, Dtype c_dtype) {
                       const Table first = multiply(of, in, padding, c_dtype);
                       EXPECT_EQ(first.values, multiply(of, in, padding, c_dtype).values);
                     });
  }
}

// One NaN in A reaches its whole row of C, and no other.
TEST_F(Gemm, CarriesNanToItsRowAndNoOther) {
  const GemmShape shape{33, 31, 127};
  for (const GemmLayout layout : gemm_layouts) {
    for_every_kernel(layout, shape,
                     [&](const ProductCase& of, const Operands& in, Padding padding, Dtype c_dtype) {
                       Operands poisoned = in;
                       double& place = layout == GemmLayout::tn ? poisoned.a.at(50, 7) : poisoned.a.at(7, 50);
                       place = std::numeric_limits<double>::quiet_NaN();
                       const Table c = multiply(of, poisoned, padding, c_dtype);
                       for (std::int64_t m = 0; m < shape.m; ++m) {
                         for (std::int64_t n = 0; n < shape.n; ++n) EXPECT_EQ(std::isnan(c.at(m, n)), m == 7);
                       }
                     });
  }
}

// What a tuner may try must compute the product too, around the edges of its tiles and of each split of k.
TEST_F(Gemm, EveryVariantAgrees) {
  for (const GemmLayout layout : gemm_layouts) {
    for (const GemmShape& shape : {GemmShape{65, 129, 200}, GemmShape{33, 31, 127}, GemmShape{1, 257, 31},
                                   GemmShape{130, 17, 69}, GemmShape{128, 256, 512}}) {
      ReferenceProducts expected;
      for (const PrecisionInfo& info : precisions) {
        const Operands in = rounded(random_operands(layout, shape), info.dtype);
        const reference::Product& product = expected.of(layout, in, info.dtype);
        ProductCase of{layout, info.precision, {}, shape};
        std::size_t turn = 0;
        for (const GemmVariant& variant : ProductMatrices::variants(device(), stream(), of)) {
          of.variant = variant;
          const Padding padding = paddings[turn++ % std::size(paddings)];
          SCOPED_TRACE(testing::Message() << of << ", padding kind " << static_cast<int>(padding));
          const Table c = multiply(of, in, padding, Dtype::fp32);
          EXPECT_TRUE(near(c.values, product.c.values, product_bound(of, product, Dtype::fp32)));
        }
      }
    }
  }
}

// Several products in one call, alike or not, are each what they should be.
TEST_F(Gemm, TakesProductsTogether) {
  for (const PrecisionInfo& info : precisions) {
    for (const GemmKernel kernel : device().gemm_kernels(info.precision)) {
      std::vector<ProductMatrices> matrices;
      std::vector<Product> together;
      const auto add = [&](GemmLayout layout, const GemmShape& shape) {
        matrices.emplace_back(device(), stream(), ProductCase{layout, info.precision, {kernel}, shape});
        together.push_back(matrices.back().product());
      };
      for (const GemmShape& shape : {GemmShape{31, 17, 70}, GemmShape{129, 65, 33}, GemmShape{64, 200, 40}}) {
        add(GemmLayout::tn, shape);
      }
      device().gemm(together, stream());
      together.clear();
      // So long that k is divided.
      for (const GemmShape& shape : {GemmShape{31, 17, 1100}, GemmShape{129, 65, 1030}})
        add(GemmLayout::tn, shape);
      device().gemm(together, stream());
      together.clear();
      for (const GemmShape& shape : {GemmShape{33, 300, 70}, GemmShape{200, 140, 70}})
        add(GemmLayout::tn, shape);
      for (Product& product : together) product.in_background = true;
      device().gemm(together, stream());
      together.clear();
      add(GemmLayout::nt, {33, 65, 31});
      add(GemmLayout::nn, {33, 31, 65});
      device().gemm(together, stream());
      for (const ProductMatrices& one : matrices) {
        SCOPED_TRACE(one.of);
        const Operands in = rounded(random_operands(one.of.layout, one.of.shape), info.dtype);
        const reference::Product expected = reference::gemm(one.of.layout, in.a, in.b);
        EXPECT_TRUE(near(one.c.download().values, expected.c.values,
                         product_bound(one.of, expected, one.c.view().dtype)));
      }
    }
  }
}

// Shapes and dtypes that do not fit, or an invalid kernel, must never reach memory.
TEST_F(Gemm, RefusesWhatCannotBeMultiplied) {
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    const auto matrix = [&](std::int64_t rows, std::int64_t cols, Dtype dtype) {
      return DeviceMatrix(device(), stream(), Table(rows, cols), Padding::none, dtype);
    };
    const DeviceMatrix a = matrix(4, 6, info.dtype);
    const DeviceMatrix b = matrix(5, 6, info.dtype);
    const DeviceMatrix c = matrix(4, 5, Dtype::fp32);
    const Dtype other = info.dtype == Dtype::fp16 ? Dtype::bf16 : Dtype::fp16;
    const DeviceMatrix a_of_other = matrix(4, 6, other);
    const DeviceMatrix c_of_other = matrix(4, 5, other);
    const GemmKernel kernel = device().gemm_kernels(info.precision).front();
    const auto multiply = [&](GemmLayout layout, GemmKernel with, const DeviceMatrix& left,
                              const DeviceMatrix& right, const DeviceMatrix& result) {
      device().gemm(
          {layout, info.precision, {with}, left.view(), right.view(), result.view(), StoreProduct{}},
          stream());
    };
    EXPECT_NO_THROW(multiply(GemmLayout::nt, kernel, a, b, c));
    EXPECT_THROW(multiply(GemmLayout::nn, kernel, a, b, c), Failure);
    EXPECT_THROW(multiply(GemmLayout::tn, kernel, a, b, c), Failure);
    EXPECT_THROW(multiply(GemmLayout::nt, kernel, b, a, c), Failure);
    EXPECT_THROW(multiply(GemmLayout::nt, kernel, a_of_other, b, c), Failure);
    EXPECT_THROW(multiply(GemmLayout::nt, kernel, a, b, c_of_other), Failure);
    const GemmKernel elsewhere =
        device().info().backend == "cuda" ? GemmKernel::openblas : GemmKernel::cublas;
    EXPECT_THROW(multiply(GemmLayout::nt, elsewhere, a, b, c), Failure);
  }
  stream().synchronize();
}

}  // namespace
}  // namespace breakeven
