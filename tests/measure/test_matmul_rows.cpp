// SPDX-License-Identifier: Apache-2.0
// What measured seconds become: a wrong product has no speed, ratios are paired by repeat, and the break-even
// is a size that was measured, or none.
#include "src/bench/matmul/matmul_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/bench/matmul/matmul_report.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

bench::MatmulSample sample_of(double seconds, double error = 1e-7) {
  return {{seconds, {0, seconds / 4, seconds / 2, seconds / 4}}, error};
}

bench::MatmulSeries series_of(const bench::FormInfo& form, int gpus, std::int64_t size,
                              std::vector<double> seconds) {
  bench::MatmulSeries series{{&form, gpus, size, Precision::fp32, GemmKernel::openblas}, 1e-7, 1e-5, {}};
  for (const double one : seconds) series.samples.push_back(sample_of(one));
  return series;
}

const bench::FormInfo& naive_form() {
  return *std::ranges::find(bench::matmul_forms(), "naive", &bench::FormInfo::name);
}

bench::MatmulSeries alone(std::int64_t size) {
  return series_of(bench::single_form(), 1, size, {8.0, 4.0, 16.0});
}

// Speed-up `ratio` with next to no spread.
bench::MatmulSeries naive(std::int64_t size, double ratio) {
  return series_of(naive_form(), 2, size, {8.0 / ratio, 4.001 / ratio, 16.0 / ratio});
}

TEST(MatmulRows, PairSecondsByRepeat) {
  const auto rows = bench::make_matmul_rows(std::vector{alone(512), naive(512, 2)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].right && rows[1].right);
  EXPECT_TRUE(std::isnan(rows[0].speedup.ratio.centre)) << "one device is compared with nothing";
  EXPECT_NEAR(rows[1].speedup.ratio.centre, 2, 1e-3);
  EXPECT_LT(rows[1].speedup.ratio.high - rows[1].speedup.ratio.low, 0.01) << "what disturbs both cancels";
  EXPECT_EQ(rows[1].decision.verdict, statistics::Payoff::pays);
  EXPECT_DOUBLE_EQ(rows[0].median_seconds, 8);
  EXPECT_DOUBLE_EQ(rows[0].flops_per_second, 2.0 * 512 * 512 * 512 / 8);
}

TEST(MatmulRows, PartsSumToTheMean) {
  const auto rows = bench::make_matmul_rows(std::vector{naive(64, 1)});
  double sum = 0;
  for (const double part : rows[0].parts) sum += part;
  EXPECT_NEAR(sum, rows[0].seconds.centre, 1e-12);
  EXPECT_NEAR(rows[0].parts[index_of(bench::Part::compute)], rows[0].seconds.centre / 2, 1e-12);
  EXPECT_EQ(rows[0].parts[index_of(bench::Part::split)], 0);
}

TEST(MatmulRows, AWrongProductHasNoSpeed) {
  for (const double error : {nan, 2e-5, std::numeric_limits<double>::infinity()}) {
    bench::MatmulSeries wrong = naive(512, 4);
    wrong.samples[1].error = error;
    const auto rows = bench::make_matmul_rows(std::vector{alone(512), wrong});
    EXPECT_FALSE(rows[1].right) << error;
    EXPECT_TRUE(std::isnan(rows[1].median_seconds) && std::isnan(rows[1].flops_per_second)) << error;
    EXPECT_TRUE(std::isnan(rows[1].speedup.ratio.centre) && std::isnan(rows[1].parts[0])) << error;
    EXPECT_FALSE(bench::all_right(rows));
    EXPECT_FALSE(bench::find_break_evens(rows)[0].size);
    const std::string text = report::render_text(bench::form_speed_table(rows, Precision::fp32));
    EXPECT_NE(text.find("WRONG"), std::string::npos) << text;
    EXPECT_TRUE(bench::form_parts_table(rows, Precision::fp32).rows.size() == 1) << "one device alone";
  }
}

TEST(MatmulRows, AWrongReferenceOrBaseMakesNoSpeedup) {
  bench::MatmulSeries of_wrong_reference = naive(512, 4);
  of_wrong_reference.reference_error = nan;
  EXPECT_FALSE(bench::make_matmul_rows(std::vector{of_wrong_reference})[0].right);

  bench::MatmulSeries wrong_base = alone(512);
  wrong_base.samples[0].error = nan;
  const auto rows = bench::make_matmul_rows(std::vector{wrong_base, naive(512, 4)});
  EXPECT_TRUE(rows[1].right);
  EXPECT_EQ(rows[1].decision.verdict, statistics::Payoff::not_measured);
}

TEST(MatmulRows, NoSampleIsNotRight) {
  EXPECT_FALSE(bench::make_matmul_rows(std::vector{series_of(bench::single_form(), 1, 8, {})})[0].right);
}

std::vector<bench::MatmulRow> rows_with_speedups(std::vector<std::pair<std::int64_t, double>> speedups) {
  std::vector<bench::MatmulSeries> series;
  for (const auto& [size, ratio] : speedups) {
    series.push_back(alone(size));
    series.push_back(naive(size, ratio));
  }
  return bench::make_matmul_rows(series);
}

TEST(MatmulBreakEven, IsTheSizeFromWhichAllSizesPay) {
  const auto found =
      bench::find_break_evens(rows_with_speedups({{64, 0.5}, {128, 1.5}, {256, 0.9}, {512, 1.5}, {1024, 2}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].size, 512);
  EXPECT_EQ(bench::break_even_in_words(found[0]), "512");
  EXPECT_NEAR(found[0].largest_speedup.centre, 2, 1e-3);
}

TEST(MatmulBreakEven, IsAMeasuredSize) {
  const auto never = bench::find_break_evens(rows_with_speedups({{64, 0.5}, {512, 0.9}}));
  EXPECT_FALSE(never[0].size);
  EXPECT_EQ(bench::break_even_in_words(never[0]), "not in the measured range");
  const auto always = bench::find_break_evens(rows_with_speedups({{64, 1.5}, {512, 1.9}}));
  EXPECT_EQ(bench::break_even_in_words(always[0]), "64, the smallest measured");
  EXPECT_FALSE(bench::find_break_evens(rows_with_speedups({{64, 1.01}}))[0].size)
      << "the same for any purpose";
}

TEST(MatmulBreakEven, NeedsSeveralGpus) {
  const auto rows =
      bench::make_matmul_rows(std::vector{alone(64), series_of(naive_form(), 1, 64, {1, 1, 1})});
  EXPECT_TRUE(bench::find_break_evens(rows).empty());
}

TEST(RelativeError, NeedsEveryElementAndHasNoPlaceForNaN) {
  const std::vector<bench::ErrorSums> ranks{{3, 80, 6}, {1, 20, 4}};
  EXPECT_DOUBLE_EQ(bench::relative_error(ranks, 10), 0.2);
  EXPECT_TRUE(std::isnan(bench::relative_error(ranks, 11))) << "a block that no rank holds";
  EXPECT_TRUE(std::isnan(bench::relative_error(std::vector<bench::ErrorSums>{{nan, 1, 10}}, 10)));
}

}  // namespace
}  // namespace breakeven
