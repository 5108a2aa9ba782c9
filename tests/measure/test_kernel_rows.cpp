// SPDX-License-Identifier: Apache-2.0
// From measured seconds to rows: a wrong kernel has no speed, ratios are taken by round, means are geometric,
// and the tuner selects the fastest correct kernel.
#include "src/bench/kernels/kernel_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/bench/kernels/exact_sample.h"
#include "src/bench/kernels/kernel_report.h"
#include "src/bench/kernels/tuner.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

const bench::GemmTask task{GemmLayout::nt, {100, 200, 400}};

bench::Measured measured_by(GemmKernel kernel, std::vector<double> warm, double error = 1e-7,
                            Precision precision = Precision::fp32, bool fused = false) {
  const std::vector<double> errors(warm.size(), error);
  std::vector<double> cold;
  for (const double seconds : warm) cold.push_back(2 * seconds);
  return {{precision, {.kernel = kernel}, fused}, 8, std::move(warm), std::move(cold), errors};
}

Roofline roofline_by_hand() {
  Roofline roofline;
  roofline.copy_bytes_per_second = 1e12;
  roofline.flops(Precision::fp32) = 16e12;
  roofline.node_seconds = 1e-7;
  return roofline;
}

TEST(ErrorLimit, GrowsWithKInFp32AndNaNIsNeverRight) {
  EXPECT_DOUBLE_EQ(bench::error_limit(Precision::fp32, 400), 2e-5);
  EXPECT_DOUBLE_EQ(bench::error_limit(Precision::tf32x3, 400), 2e-5);
  EXPECT_EQ(bench::error_limit(Precision::tf32, 400), 1e-3);
  EXPECT_EQ(bench::error_limit(Precision::bf16, 400), 1e-2);
  EXPECT_EQ(bench::error_limit(Precision::fp16, 400), 1e-2);
  EXPECT_TRUE(bench::is_right(1e-2, 1e-2));
  EXPECT_FALSE(bench::is_right(1.01e-2, 1e-2));
  EXPECT_FALSE(bench::is_right(nan, 1e-2));
}

TEST(KernelRow, RatiosAreTakenByRound) {
  const std::vector measured{measured_by(GemmKernel::tiled, {1e-6, 2e-6, 8e-6}),
                             measured_by(GemmKernel::cublas, {2e-6, 6e-6, 4e-6})};
  const std::vector<bench::KernelRow> rows = bench::make_rows(task, measured, roofline_by_hand());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].warm.median, 2e-6);
  EXPECT_EQ(rows[0].warm.low, 1e-6);
  EXPECT_EQ(rows[0].warm.high, 8e-6);
  EXPECT_EQ(rows[0].warm_reference.seconds.median, 4e-6);
  EXPECT_EQ(rows[0].warm_reference.speedup, 2.0);  // the median of 2, 3 and 0.5
  EXPECT_EQ(rows[0].cold_reference.speedup, 2.0);
  EXPECT_EQ(rows[1].warm_reference.speedup, 1.0);
  EXPECT_DOUBLE_EQ(rows[0].flops_per_second, 16e6 / 2e-6);
  EXPECT_DOUBLE_EQ(rows[0].flops_share, 0.5);
  EXPECT_EQ(rows[0].limit.what, "arithmetic");
  EXPECT_DOUBLE_EQ(rows[0].limit_share, 1e-6 / 4e-6);
}

TEST(KernelRow, AWrongKernelHasNoSpeed) {
  for (const double error : {3e-5, nan}) {
    const std::vector measured{measured_by(GemmKernel::tiled, {1e-6, 1e-6}, error),
                               measured_by(GemmKernel::cublas, {2e-6, 2e-6})};
    const bench::KernelRow row = bench::make_rows(task, measured, roofline_by_hand())[0];
    EXPECT_FALSE(row.right);
    EXPECT_TRUE(std::isnan(row.warm.median));
    EXPECT_TRUE(std::isnan(row.cold.median));
    EXPECT_TRUE(std::isnan(row.warm_reference.speedup));
    EXPECT_TRUE(std::isnan(row.flops_per_second));
  }
}

TEST(KernelRow, OneWrongRoundMakesItWrong) {
  std::vector measured{measured_by(GemmKernel::tiled, {1e-6, 1e-6, 1e-6})};
  measured[0].errors[1] = nan;
  EXPECT_FALSE(bench::make_rows(task, measured, roofline_by_hand())[0].right);
}

TEST(KernelRow, ARangeNeedsTwoRounds) {
  const auto range_of = [](const std::vector<double>& seconds) {
    const std::vector measured{measured_by(GemmKernel::naive, seconds)};
    const report::ReportTable table =
        bench::product_table(bench::make_rows(task, measured, roofline_by_hand()), Precision::fp32);
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [](const report::Column& one) { return one.key == "range"; });
    return table.rows.at(0).at(static_cast<std::size_t>(column - table.columns.begin())).text;
  };
  EXPECT_EQ(range_of({4e-6}), "–");
  EXPECT_EQ(range_of({3e-6, 5e-6}), "25 %");
}

TEST(KernelRow, NothingIsFasterThanAWrongReference) {
  const std::vector measured{measured_by(GemmKernel::tiled, {1e-6}),
                             measured_by(GemmKernel::cublas, {2e-6}, nan)};
  const bench::KernelRow row = bench::make_rows(task, measured, roofline_by_hand())[0];
  EXPECT_TRUE(row.right);
  EXPECT_TRUE(std::isnan(row.warm_reference.speedup));
}

TEST(KernelRow, TheReferenceHasTheSameWorkAndAccuracy) {
  const bench::Candidate plain{Precision::tf32x3, {.kernel = GemmKernel::tensor_core}, false};
  EXPECT_EQ(bench::reference_of(plain),
            (bench::Candidate{Precision::fp32, {.kernel = GemmKernel::cublas}, false}));
  const bench::Candidate fused{Precision::bf16, {.kernel = GemmKernel::hopper, .tile = 3}, true};
  EXPECT_EQ(bench::reference_of(fused),
            (bench::Candidate{Precision::bf16, {.kernel = GemmKernel::cublaslt}, true}));
}

TEST(KernelSummary, IsTheGeometricMeanOverTheModelsProducts) {
  std::vector<bench::KernelRow> rows;
  for (const double speedup : {4.0, 0.25, 8.0}) {
    bench::KernelRow row;
    row.candidate = {Precision::fp32, {.kernel = GemmKernel::tuned}, false};
    row.right = true;
    row.warm_reference.speedup = speedup;
    row.cold_reference.speedup = 1;
    rows.push_back(row);
  }
  rows[2].task.is_square = true;
  const std::vector<bench::KernelSummary> summaries = bench::summarize_kernels(rows);
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].products, 2u);
  EXPECT_EQ(summaries[0].faster, 1u);
  EXPECT_DOUBLE_EQ(summaries[0].speedup, 1.0);
  EXPECT_DOUBLE_EQ(summaries[0].least_speedup, 0.25);

  rows[1].right = false;
  rows[1].warm_reference.speedup = nan;
  EXPECT_TRUE(std::isnan(bench::summarize_kernels(rows)[0].speedup));
  EXPECT_EQ(bench::summarize_kernels(rows)[0].wrong, 1u);
}

TEST(Tuner, SelectsTheFastestCorrectKernel) {
  const std::vector measured{measured_by(GemmKernel::naive, {3e-6}), measured_by(GemmKernel::tiled, {2e-6}),
                             measured_by(GemmKernel::warp_tiled, {1e-9}, nan),
                             measured_by(GemmKernel::hopper, {1e-9}, 1.0)};
  const std::vector<bench::Measured> best = bench::best_of(measured, task.shape.k, 3);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].candidate.variant.kernel, GemmKernel::tiled);
  EXPECT_EQ(bench::best_of(measured, task.shape.k, 1).size(), 1u);
}

}  // namespace
}  // namespace breakeven
