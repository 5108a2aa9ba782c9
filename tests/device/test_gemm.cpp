// SPDX-License-Identifier: Apache-2.0
// Every GEMM kernel of the device against three loops in double: all layouts, all leading dimensions, every
// size in every role.
#include <cmath>
#include <limits>
#include <string>

#include "kernels/failure.h"
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

struct Shape {
  std::int64_t m, n, k;
};

// Every size is m, n and k at least twice, in pairings that meet larger and smaller partners.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  constexpr std::size_t count = std::size(odd_sizes);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({odd_sizes[i], odd_sizes[(i + 1) % count], odd_sizes[(i + 3) % count]});
    all.push_back({odd_sizes[i], odd_sizes[(i + 4) % count], odd_sizes[(i + 5) % count]});
    if (odd_sizes[i] < 200) all.push_back({odd_sizes[i], odd_sizes[i], odd_sizes[i]});
  }
  return all;
}

constexpr GemmLayout layouts[] = {GemmLayout::nt, GemmLayout::nn, GemmLayout::tn};

const char* name_of(GemmLayout layout) {
  return layout == GemmLayout::nt ? "nt" : layout == GemmLayout::nn ? "nn" : "tn";
}

// Kernels of reduced precision say so in their name; the rest round products and sums once each.
double roundoff_of(std::string_view gemm) {
  if (gemm.find("bf16") != std::string_view::npos) return std::ldexp(1.0, -8);
  if (gemm.find("tf32") != std::string_view::npos) return std::ldexp(1.0, -11);
  return fp32_roundoff;
}

struct Operands {
  Table a;
  Table b;
};

Operands random_operands(GemmLayout layout, const Shape& s) {
  const bool a_transposed = layout == GemmLayout::tn;
  const bool b_transposed = layout == GemmLayout::nt;
  return {a_transposed ? random_table(s.k, s.m, 1) : random_table(s.m, s.k, 1),
          b_transposed ? random_table(s.n, s.k, 2) : random_table(s.k, s.n, 2)};
}

// Whole numbers from -2 to 2, whose products and sums every kernel must get exactly.
void round_to_whole(Table& table) {
  for (double& value : table.values) value = std::floor(value * 2.5 + 0.5);
}

class Gemm : public DeviceTest {
 protected:
  // C begins as NaN, so that an element left alone or multiplied by zero shows.
  static Table multiply(GemmLayout layout, int gemm, const Shape& s, const Operands& in, Padding padding) {
    const DeviceMatrix a(device(), stream(), in.a, padding);
    const DeviceMatrix b(device(), stream(), in.b, padding);
    const DeviceMatrix c(device(), stream(), Table(s.m, s.n, std::numeric_limits<double>::quiet_NaN()),
                         padding);
    device().gemm(layout, gemm, a.view(), b.view(), c.view(), stream());
    return c.download();
  }

  static std::string describe(GemmLayout layout, int gemm, const Shape& s, Padding padding) {
    return std::string(device().gemm_names()[static_cast<std::size_t>(gemm)]) + " " + name_of(layout) +
           " m " + std::to_string(s.m) + " n " + std::to_string(s.n) + " k " + std::to_string(s.k) +
           " padding kind " + std::to_string(static_cast<int>(padding));
  }

  static int gemm_count() { return static_cast<int>(device().gemm_names().size()); }
};

TEST_F(Gemm, ThereIsADefaultKernel) {
  ASSERT_GE(gemm_count(), 1);
  for (const std::string_view name : device().gemm_names()) EXPECT_FALSE(name.empty());
}

TEST_F(Gemm, AgreesWithDoubleWithinRounding) {
  std::size_t turn = 0;
  for (const GemmLayout layout : layouts) {
    for (const Shape& s : shapes()) {
      const Operands in = random_operands(layout, s);
      const reference::Product expected = reference::gemm(layout, in.a, in.b);
      for (int gemm = 0; gemm < gemm_count(); ++gemm) {
        const Padding padding = paddings[turn++ % std::size(paddings)];
        SCOPED_TRACE(describe(layout, gemm, s, padding));
        const double u = roundoff_of(device().gemm_names()[static_cast<std::size_t>(gemm)]);
        std::vector<double> bound = expected.magnitude.values;  // Higham, "Accuracy and Stability", (3.5)
        for (double& element : bound) element *= static_cast<double>(s.k + 2) * u;
        const Table c = multiply(layout, gemm, s, in, padding);
        EXPECT_TRUE(near(c.values, expected.c.values, bound));
        const double typical = 4 * std::sqrt(static_cast<double>(s.k)) * u;  // roundings mostly cancel
        EXPECT_TRUE(near(frobenius_error(c.values, expected.c.values), 0, typical));
      }
    }
  }
}

TEST_F(Gemm, IsExactOnSmallWholeNumbersWithAnyLeadingDimension) {
  for (const GemmLayout layout : layouts) {
    for (const Shape& s : {Shape{33, 129, 31}, Shape{127, 31, 129}, Shape{1, 33, 127}, Shape{64, 128, 32}}) {
      Operands in = random_operands(layout, s);
      round_to_whole(in.a);
      round_to_whole(in.b);
      const reference::Product expected = reference::gemm(layout, in.a, in.b);
      for (int gemm = 0; gemm < gemm_count(); ++gemm) {
        for (const Padding padding : paddings) {
          SCOPED_TRACE(describe(layout, gemm, s, padding));
          EXPECT_TRUE(near(multiply(layout, gemm, s, in, padding).values, expected.c.values, 0.0));
        }
      }
    }
  }
}

TEST_F(Gemm, RepeatsBitForBit) {
  const Shape s{129, 127, 799};
  for (const GemmLayout layout : layouts) {
    const Operands in = random_operands(layout, s);
    for (int gemm = 0; gemm < gemm_count(); ++gemm) {
      SCOPED_TRACE(describe(layout, gemm, s, Padding::to_16_bytes));
      const Table first = multiply(layout, gemm, s, in, Padding::to_16_bytes);
      EXPECT_EQ(first.values, multiply(layout, gemm, s, in, Padding::to_16_bytes).values);
    }
  }
}

// Shapes that do not fit, or a kernel that is none, must never reach memory.
TEST_F(Gemm, RefusesWhatCannotBeMultiplied) {
  const DeviceMatrix a(device(), stream(), Table(4, 6), Padding::none);
  const DeviceMatrix b(device(), stream(), Table(5, 6), Padding::none);
  const DeviceMatrix c(device(), stream(), Table(4, 5), Padding::none);
  EXPECT_NO_THROW(device().gemm(GemmLayout::nt, 0, a.view(), b.view(), c.view(), stream()));
  EXPECT_THROW(device().gemm(GemmLayout::nn, 0, a.view(), b.view(), c.view(), stream()), Failure);
  EXPECT_THROW(device().gemm(GemmLayout::tn, 0, a.view(), b.view(), c.view(), stream()), Failure);
  EXPECT_THROW(device().gemm(GemmLayout::nt, 0, b.view(), a.view(), c.view(), stream()), Failure);
  EXPECT_THROW(device().gemm(GemmLayout::nt, gemm_count(), a.view(), b.view(), c.view(), stream()), Failure);
  EXPECT_THROW(device().gemm(GemmLayout::nt, -1, a.view(), b.view(), c.view(), stream()), Failure);
  stream().synchronize();
}

// One NaN in A reaches its whole row of C, and no other.
TEST_F(Gemm, CarriesNanToItsRowAndNoOther) {
  const Shape s{33, 31, 127};
  for (const GemmLayout layout : layouts) {
    Operands in = random_operands(layout, s);
    double& poisoned = layout == GemmLayout::tn ? in.a.at(50, 7) : in.a.at(7, 50);
    poisoned = std::numeric_limits<double>::quiet_NaN();
    for (int gemm = 0; gemm < gemm_count(); ++gemm) {
      SCOPED_TRACE(describe(layout, gemm, s, Padding::wide));
      const Table c = multiply(layout, gemm, s, in, Padding::wide);
      for (std::int64_t m = 0; m < s.m; ++m) {
        for (std::int64_t n = 0; n < s.n; ++n) EXPECT_EQ(std::isnan(c.at(m, n)), m == 7);
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
