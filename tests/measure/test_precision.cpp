// SPDX-License-Identifier: Apache-2.0
// The dtypes: every 16-bit pattern becomes its number and itself again, and floats are rounded to the
// nearest as the format's definition has it. The table of precisions names each once.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/host/dtype.h"
#include "kernels/round_fraction.h"
#include "src/core/gemm_kernel.h"
#include "src/core/precision.h"
#include "tests/support/near.h"
#include "tests/support/rounding.h"

namespace breakeven {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// What a pattern of bits means, by the format's definition.
double meaning(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = bits >> (exponent_bits + fraction_bits) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1u << fraction_bits), exponent - bias - fraction_bits);
}

template <typename T>
void expect_every_pattern_goes_round(int exponent_bits, int fraction_bits) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const T stored{static_cast<std::uint16_t>(bits)};
    const float value = to_float(stored);
    const double expected = meaning(bits, exponent_bits, fraction_bits);
    const T again = from_float<T>(value);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_TRUE(std::isnan(to_float(again))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), expected) << bits;
    ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    ASSERT_EQ(again.bits, bits);
  }
}

TEST(Precision, EveryBf16SurvivesARoundTrip) { expect_every_pattern_goes_round<Bf16>(8, 7); }
TEST(Precision, EveryFp16SurvivesARoundTrip) { expect_every_pattern_goes_round<Fp16>(5, 10); }

// Between each two neighbours: just below the middle, the middle, and just above.
template <typename T>
void expect_nearest_between_neighbours(Dtype dtype, std::uint32_t infinite) {
  for (std::uint32_t bits = 0; bits + 1 < infinite; ++bits) {
    const float lower = to_float(T{static_cast<std::uint16_t>(bits)});
    const float upper = to_float(T{static_cast<std::uint16_t>(bits + 1)});
    const float middle = lower + (upper - lower) / 2;
    for (const float value : {std::nextafter(middle, lower), middle, std::nextafter(middle, upper)}) {
      ASSERT_EQ(static_cast<double>(to_float(from_float<T>(value))), rounded(value, dtype)) << value;
      ASSERT_EQ(static_cast<double>(to_float(from_float<T>(-value))), rounded(-value, dtype)) << value;
    }
  }
}

TEST(Precision, Bf16IsTheNearestAndTiesGoToEven) {
  expect_nearest_between_neighbours<Bf16>(Dtype::bf16, 0x7F80);
}
TEST(Precision, Fp16IsTheNearestAndTiesGoToEven) {
  expect_nearest_between_neighbours<Fp16>(Dtype::fp16, 0x7C00);
}

// Floats of all sizes: one pattern in 9973, which is every exponent and many fractions.
TEST(Precision, SampledFloatsAreRoundedByDefinition) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 9973) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(to_float(from_float<Bf16>(value)))) << bits;
      ASSERT_TRUE(std::isnan(to_float(from_float<Fp16>(value)))) << bits;
      ASSERT_TRUE(std::isnan(round_fraction(value, 10))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(to_float(from_float<Bf16>(value))), rounded(value, Dtype::bf16)) << bits;
    ASSERT_EQ(static_cast<double>(to_float(from_float<Fp16>(value))), rounded(value, Dtype::fp16)) << bits;
    ASSERT_EQ(from_float<float>(value), value);
  }
}

TEST(Precision, TooLargeValuesBecomeInfinity) {
  EXPECT_EQ(to_float(from_float<Fp16>(65519.996f)), 65504.0f);
  EXPECT_EQ(to_float(from_float<Fp16>(65520.0f)), infinity);
  EXPECT_EQ(to_float(from_float<Fp16>(-1e30f)), -infinity);
  EXPECT_EQ(to_float(from_float<Bf16>(std::numeric_limits<float>::max())), infinity);
  EXPECT_EQ(to_float(from_float<Bf16>(0x1.FEFFFEp127f)), 0x1.FEp127f);
  EXPECT_EQ(round_fraction(std::numeric_limits<float>::max(), 10), infinity);
  for (const float value : {infinity, -infinity}) {
    EXPECT_EQ(to_float(from_float<Fp16>(value)), value);
    EXPECT_EQ(to_float(from_float<Bf16>(value)), value);
    EXPECT_EQ(round_fraction(value, 10), value);
  }
}

TEST(Precision, ZeroKeepsItsSign) {
  EXPECT_EQ(from_float<Fp16>(-0.0f).bits, 0x8000u);
  EXPECT_EQ(from_float<Bf16>(-0.0f).bits, 0x8000u);
  EXPECT_EQ(from_float<Fp16>(-0x1p-26f).bits, 0x8000u);
}

TEST(Precision, Tf32HasTenBitsOfFractionAndTiesGoToEven) {
  EXPECT_EQ(round_fraction(1 + 0x1p-10f, 10), 1 + 0x1p-10f);
  EXPECT_EQ(round_fraction(1 + 0x1p-11f, 10), 1.0f);
  EXPECT_EQ(round_fraction(-1 - 0x1p-11f, 10), -1.0f);
  EXPECT_EQ(round_fraction(1 + 0x3p-11f, 10), 1 + 0x1p-9f);
  EXPECT_EQ(round_fraction(1 + 0x1p-12f, 10), 1.0f);
  EXPECT_EQ(round_fraction(2 - 0x1p-23f, 10), 2.0f);
  for (float value = 1; value < 2; value += 0x1.1p-14f) {
    EXPECT_TRUE(near(round_fraction(value, 10), value, 0x1p-11)) << value;
  }
}

TEST(Precision, EachHasItsNameAndRow) {
  for (const PrecisionInfo& info : precisions) {
    EXPECT_EQ(&info_of(info.precision), &info);
    EXPECT_EQ(find_value<Precision>(info.name), info.precision);
    const bool as_stored = info.precision != Precision::tf32 && info.precision != Precision::tf32x3;
    EXPECT_EQ(info.operand_roundoff == roundoff_of(info.dtype), as_stored) << info.name;
  }
  EXPECT_FALSE(find_value<Precision>("fp64"));
  EXPECT_FALSE(find_value<Precision>(""));
}

TEST(Precision, IsComparedWithOneThatTheLibrariesCompute) {
  for (const PrecisionInfo& info : precisions) {
    EXPECT_EQ(info_of(info.libraries).libraries, info.libraries) << info.name;
    EXPECT_LE(info.operand_roundoff, info.product_error * 2) << info.name;
  }
}

TEST(GemmKernels, EachHasItsNameAndRow) {
  for (const GemmKernelInfo& info : gemm_kernels) {
    EXPECT_EQ(name_of(info.kernel), info.name);
    EXPECT_EQ(find_value<GemmKernel>(info.name), info.kernel);
  }
  EXPECT_EQ(find_value<GemmKernel>("warp_tiled"), std::nullopt) << "the name, not the identifier";
}

}  // namespace
}  // namespace breakeven
