// SPDX-License-Identifier: Apache-2.0
// The table of measured products: what it reads, what it refuses, and which row answers for a shape.
#include "kernels/gemm_table.h"

#include <gtest/gtest.h>

#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr std::string_view small_table =
    "# measured by hand\n"
    "\n"
    "fp32   nt    128   1024   4608  warp-tiled    2    4      24.700\n"
    "fp32   nt    128    512   1024  tiled        -1    8       2.700\n"
    "\ttf32 tn 1024 4608 128 tensor-core 1 1 4.8\r\n"
    "bf16 nn 8192 8192 8192 hopper 0 -1 1420";  // no line end

std::string refusal_of(std::string_view text) {
  try {
    parse_gemm_table(text, "table.txt");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::file);
    return failure.what();
  }
  return "not refused";
}

TEST(GemmTable, ReadsWhatItWrites) {
  const GemmTable table = parse_gemm_table(small_table, "table.txt");
  const GemmTable again = parse_gemm_table(format_gemm_table(table, "breakeven\n\nH200"), "again");
  ASSERT_EQ(table.rows().size(), 4u);
  ASSERT_EQ(again.rows().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(again.rows()[i].precision, table.rows()[i].precision);
    EXPECT_EQ(again.rows()[i].layout, table.rows()[i].layout);
    EXPECT_EQ(again.rows()[i].shape, table.rows()[i].shape);
    EXPECT_EQ(again.rows()[i].variant, table.rows()[i].variant);
    EXPECT_NEAR(again.rows()[i].seconds, table.rows()[i].seconds, 1e-9);
  }
  EXPECT_TRUE(
      format_gemm_table(table, "breakeven\n\nH200").starts_with("# breakeven\n#\n# H200\n# precision"));
}

TEST(GemmTable, FindsTheSameShape) {
  const GemmTable table = parse_gemm_table(small_table, "table.txt");
  EXPECT_EQ(table.find(Precision::fp32, GemmLayout::nt, {128, 512, 1024}),
            (GemmVariant{GemmKernel::tiled, -1, 8}));
  EXPECT_EQ(table.find(Precision::tf32, GemmLayout::tn, {1024, 4608, 128}),
            (GemmVariant{GemmKernel::tensor_core, 1, 1}));
}

TEST(GemmTable, IgnoresOtherPrecisionsLayoutsAndShapes) {
  const GemmTable table = parse_gemm_table(small_table, "table.txt");
  EXPECT_FALSE(table.find(Precision::tf32x3, GemmLayout::nt, {128, 512, 1024}));
  EXPECT_FALSE(table.find(Precision::fp32, GemmLayout::nn, {128, 512, 1024}));
  EXPECT_FALSE(table.find(Precision::fp32, GemmLayout::nt, {127, 512, 1024}));
  EXPECT_FALSE(GemmTable().find(Precision::fp32, GemmLayout::nt, {1, 1, 1}));
}

TEST(GemmTable, OfTwoRowsForOneProductTheLaterCounts) {
  const GemmTable table =
      parse_gemm_table("fp32 nt 8 8 8 naive 0 1 2\nfp32 nt 8 8 8 tiled 3 1 1\n", "table.txt");
  ASSERT_EQ(table.rows().size(), 1u);
  EXPECT_EQ(table.rows()[0].variant, (GemmVariant{GemmKernel::tiled, 3, 1}));
}

TEST(GemmTable, BadLinesAreNamed) {
  EXPECT_EQ(refusal_of("# fine\nfp32 nt 8 8 8 tiled 0 1\n"),
            "table.txt:2: is not of the form 'precision layout m n k kernel tile parts microseconds'");
  EXPECT_EQ(refusal_of("fp31 nt 8 8 8 tiled 0 1 1"), "table.txt:1: 'fp31' is not a precision");
  EXPECT_EQ(refusal_of("fp32 tt 8 8 8 tiled 0 1 1"), "table.txt:1: 'tt' is not a layout");
  EXPECT_EQ(refusal_of("fp32 nt 8 8 8 fast 0 1 1"), "table.txt:1: 'fast' is not a kernel");
  EXPECT_EQ(refusal_of("fp32 nt 0 8 8 tiled 0 1 1"), "table.txt:1: '0' is not a whole number of at least 1");
  EXPECT_EQ(refusal_of("fp32 nt 8 8x 8 tiled 0 1 1"),
            "table.txt:1: '8x' is not a whole number of at least 1");
  EXPECT_EQ(refusal_of("fp32 nt 8 8 8 tiled -2 1 1"),
            "table.txt:1: '-2' is not a whole number of at least -1");
  for (const std::string time : {"nan", "0", "-1", "inf", "fast", "1x"}) {
    EXPECT_EQ(refusal_of("fp32 nt 8 8 8 tiled 0 1 " + time),
              "table.txt:1: '" + time + "' is not a positive number of microseconds");
  }
}

TEST(GemmTable, AMissingFileIsNamed) {
  try {
    read_gemm_table("/no/such/table");
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(),
                 "/no/such/table: the table of products cannot be read: No such file or directory");
  }
}

}  // namespace
}  // namespace breakeven
