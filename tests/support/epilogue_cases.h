// SPDX-License-Identifier: Apache-2.0
// What the tests of epilogues share: the products that they are put on, their values, and how far the sums
// may be from float64 where an epilogue finds them.
#pragma once

#include "tests/support/product_under_test.h"

namespace breakeven {

inline constexpr std::uint32_t epilogue_step = 6;
inline constexpr GemmShape epilogue_shapes[] = {{33, 31, 127}, {129, 65, 33}, {1, 127, 31},
                                                {64, 128, 64}, {127, 1, 129}, {31, 130, 70}};

// Only fp16 is trained with another scale than 1.
inline float loss_scale_of(Precision precision) { return precision == Precision::fp16 ? 64 : 1; }

class EpilogueTest : public DeviceTest {
 protected:
  // Calls check(case, operands as stored, their product in float64, padding).
  template <typename Check>
  static void for_every_case(GemmLayout layout, const Check& check) {
    std::size_t turn = 0;
    for (const GemmShape& shape : epilogue_shapes) {
      ReferenceProducts products;
      for (const PrecisionInfo& info : precisions) {
        const Operands in = rounded(random_operands(layout, shape), info.dtype);
        ProductCase of{layout, info.precision, {}, shape};
        for (const GemmVariant& variant : ProductMatrices::variants(device(), stream(), of)) {
          of.variant = variant;
          const Padding padding = paddings[turn++ % std::size(paddings)];
          SCOPED_TRACE(testing::Message() << of << ", padding kind " << static_cast<int>(padding));
          check(of, in, products.of(layout, in, info.dtype), padding);
        }
      }
    }
  }

  // Values that are the same in every dtype, as an epilogue and cuBLASLt's copy of a bias have them.
  static std::vector<double> bias_values(std::int64_t count, Dtype dtype) {
    return rounded(random_values(static_cast<std::size_t>(count), 3), dtype);
  }

  static DeviceArray<float> array(const std::vector<double>& values) {
    return DeviceArray<float>(device(), stream(), to_float(values));
  }

  static DeviceMatrix working_copy(const std::vector<double>& values, Dtype dtype) {
    Table row(1, static_cast<std::int64_t>(values.size()));
    row.values = values;
    return DeviceMatrix(device(), stream(), row, Padding::none, dtype);
  }

  static Dropout dropout() { return {.rate = 0.3f, .seed = 77, .layer = 2, .first_sample = 5}; }

  // The bound of sums as an epilogue finds them.
  static std::vector<double> found_bound(const ProductCase& of, const reference::Product& exact,
                                         Dtype c_dtype) {
    const std::vector<double> bound = sum_bound(of, exact);
    return may_store_between(of.variant.kernel) ? stored_bound(bound, exact.c, c_dtype) : bound;
  }

  // The same with a bias added to them, which makes them `y`.
  static std::vector<double> biased_bound(const ProductCase& of, const reference::Product& exact,
                                          Dtype c_dtype, const Table& y) {
    std::vector<double> bound = found_bound(of, exact, c_dtype);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      bound[i] += 2 * fp32_roundoff * (std::abs(exact.c.values[i]) + std::abs(y.values[i]));
    }
    return bound;
  }

  static void scale_by(double factor, std::vector<double>& values) {
    for (double& value : values) value *= factor;
  }
};

// The gradient of a bias: the column sums of dY, which is A, and their bound.
struct ExpectedBiasGradient {
  std::vector<double> expected, bound;

  ExpectedBiasGradient(const ProductCase& of, const Table& dy, double loss_scale)
      : expected(reference::bias_gradient(dy)) {
    const double relative =
        2 * static_cast<double>(dy.rows + 2) * fp32_roundoff + operand_error(of.precision);
    Table sizes = dy;
    for (double& value : sizes.values) value = std::abs(value);
    for (const double size : reference::bias_gradient(sizes)) bound.push_back(relative * size / loss_scale);
    for (double& value : expected) value /= loss_scale;
  }
};

}  // namespace breakeven
