// SPDX-License-Identifier: Apache-2.0
// The report's table of limits: which ceilings count, and that none is claimed where none was measured.
#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

Roofline roofline_by_hand() {
  Roofline roofline;
  roofline.copy_bytes_per_second = 4.2e12;
  roofline.flops(Precision::fp32) = 50e12;
  roofline.launch_seconds = 2e-6;
  roofline.node_seconds = 0.5e-6;
  return roofline;
}

TEST(Limits, EachPhaseStandsBesideItsLimit) {
  Results results = results_by_hand();
  results.launches[0].roofline.assign(2, roofline_by_hand());
  results.launches[0].roofline[1].node_seconds = 5e-6;  // the slower rank counts where it takes part
  const auto limits = json_of(results)["roofline"];
  const auto row_of = [&](std::uint32_t batch, const std::string& strategy, const std::string& phase) {
    for (const auto& row : limits) {
      if (row["batch"] == batch && row["strategy"] == strategy && row["phase"] == phase) return row;
    }
    return nlohmann::json();
  };
  const auto forward = row_of(16, "single on 1", "Forward pass");
  EXPECT_EQ(forward["model"], "medium");
  EXPECT_EQ(forward["limited_by"], "latency");
  EXPECT_NEAR(forward["roofline_seconds"], 4 * 0.5e-6, 1e-12);
  EXPECT_NEAR(forward["share"], 4 * 0.5e-6 / double(forward["measured_seconds"]), 1e-9);
  EXPECT_NEAR(row_of(16, "ddp on 2", "Forward pass")["roofline_seconds"], 4 * 5e-6, 1e-12);
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "of the slowest rank: copies 4,200 GB/s, products in fp32 50.0 TFLOP/s"));
  EXPECT_TRUE(contains(text, "all of the above"));
}

TEST(Limits, WithoutCeilingsNoLimitIsClaimed) {
  const std::string text = on_one_line(text_of(results_by_hand()));
  EXPECT_TRUE(contains(text, "Roofline: not measured."));
  EXPECT_FALSE(contains(text, "What limits"));
  EXPECT_TRUE(json_of(results_by_hand())["roofline"].empty());
  Results half = results_by_hand();
  half.launches[0].roofline.assign(1, roofline_by_hand());  // of the first rank alone
  EXPECT_FALSE(contains(text_of(half), "ddp on 2   Forward pass"));
}

// Older launches copied by cudaMemcpyAsync, which is slower than a kernel.
TEST(Limits, SaysWhichCopiesMeasuredTheBandwidth) {
  Results results = results_by_hand();
  const std::string caveat = "so the shares of phases that memory limits are too high";
  EXPECT_EQ(json_of(results)["launches"][0]["copy_method"], "") << "no roofline";
  results.launches[0].roofline.assign(2, roofline_by_hand());
  EXPECT_EQ(json_of(results)["launches"][0]["copy_method"], "cudaMemcpyAsync");
  EXPECT_TRUE(contains(on_one_line(text_of(results)), caveat));
  results.launches[0].copy_method = copied_by_processor;
  EXPECT_EQ(json_of(results)["launches"][0]["copy_method"], "kernel");
  EXPECT_FALSE(contains(on_one_line(text_of(results)), caveat));
}

}  // namespace
}  // namespace breakeven
