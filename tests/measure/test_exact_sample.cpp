// SPDX-License-Identifier: Apache-2.0
// The float64 sample agrees with the host device for every layout, dtype and epilogue, and finds errors.
#include "src/bench/kernels/exact_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/bench/kernels/measure_task.h"
#include "src/bench/kernels/operands.h"

namespace breakeven {
namespace {

constexpr std::uint64_t seed = 7;

class HostProducts : public testing::Test {
 protected:
  // The sampled rows of the product as the host computes it.
  std::vector<std::vector<float>> compute(const bench::GemmTask& task, const bench::Candidate& candidate,
                                          bench::ExactSample& sample, std::uint64_t numbers = seed) {
    bench::Operands operands(*device_, *stream_, task, std::array{candidate.precision}, 0);
    operands.randomize(numbers);
    operands.clear_result();
    device_->gemm(operands.product(candidate, 0), *stream_);
    return operands.read_rows(candidate, sample.rows());
  }

  std::unique_ptr<Device> device_ = make_host_device();
  std::unique_ptr<Stream> stream_ = device_->make_stream();
};

TEST_F(HostProducts, AgreeInEveryLayoutPrecisionAndEpilogue) {
  for (const GemmLayout layout : gemm_layouts) {
    for (const PrecisionInfo& info : precisions) {
      for (const bool fused : {false, true}) {
        if (fused && layout != GemmLayout::nt) continue;
        const bench::GemmTask task{layout, {19, 33, 50}};
        const bench::Candidate candidate{info.precision, {.kernel = GemmKernel::naive}, fused};
        bench::ExactSample sample(task, seed);
        const auto found = compute(task, candidate, sample);
        const double error = sample.error_of(found, info.dtype, fused);
        EXPECT_TRUE(bench::is_right(error, bench::error_limit(info.precision, task.shape.k)))
            << label_of(task) << " " << info.name << ": " << error;
        const bool is_exact = info.precision == Precision::fp32 || layout == GemmLayout::tn;
        EXPECT_TRUE(is_exact || error > 0) << "rounding was not seen";
      }
    }
  }
}

TEST_F(HostProducts, ADamagedValueIsDetected) {
  const bench::GemmTask task{GemmLayout::nt, {19, 33, 50}};
  const bench::Candidate candidate{Precision::bf16, {.kernel = GemmKernel::naive}};
  bench::ExactSample sample(task, seed);
  auto found = compute(task, candidate, sample);
  const double limit = bench::error_limit(Precision::bf16, task.shape.k);
  ASSERT_TRUE(bench::is_right(sample.error_of(found, Dtype::bf16, false), limit));
  const float last = found.back().back();  // the last row and column are always sampled
  found.back().back() = last + 5;
  EXPECT_FALSE(bench::is_right(sample.error_of(found, Dtype::bf16, false), limit));
  found.back().back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(bench::is_right(sample.error_of(found, Dtype::bf16, false), limit));
}

TEST_F(HostProducts, OtherNumbersAreWrong) {
  const bench::GemmTask task{GemmLayout::nn, {19, 33, 50}};
  const bench::Candidate candidate{Precision::fp32, {.kernel = GemmKernel::naive}};
  bench::ExactSample sample(task, seed);
  const auto found = compute(task, candidate, sample, seed + 1);
  EXPECT_FALSE(bench::is_right(sample.error_of(found, Dtype::fp32, false), 0.5));
}

TEST(ExactSample, IncludesTheEdges) {
  const bench::ExactSample sample({GemmLayout::nt, {1000, 3, 2}}, seed);
  EXPECT_EQ(sample.rows().front(), 0);
  EXPECT_EQ(sample.rows().back(), 999);
  EXPECT_GT(sample.rows().size(), 4u);
  EXPECT_TRUE(std::is_sorted(sample.rows().begin(), sample.rows().end()));
  EXPECT_EQ(bench::ExactSample({GemmLayout::nt, {1, 1, 1}}, seed).rows().size(), 1u);
}

TEST_F(HostProducts, ABenchMeasuresEveryCandidateInEveryRound) {
  bench::TaskBench bench(*device_, *stream_, {.rounds = 3, .seed = 1});
  const std::vector<bench::Candidate> candidates{{Precision::fp32, {.kernel = GemmKernel::openblas}},
                                                 {Precision::fp16, {.kernel = GemmKernel::naive}, true}};
  const std::vector<bench::Measured> measured = bench.measure({GemmLayout::nt, {9, 17, 12}}, candidates, 3);
  ASSERT_EQ(measured.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(measured[i].candidate, candidates[i]);
    EXPECT_EQ(measured[i].warm_seconds.size(), 3u);
    EXPECT_EQ(measured[i].cold_seconds.size(), 3u);
    ASSERT_EQ(measured[i].errors.size(), 3u);
    EXPECT_NE(measured[i].errors[0], measured[i].errors[1]);  // new numbers every round
    for (const double error : measured[i].errors) EXPECT_TRUE(bench::is_right(error, 1e-2));
    for (const double seconds : measured[i].warm_seconds) EXPECT_GT(seconds, 0);
  }
}

}  // namespace
}  // namespace breakeven
