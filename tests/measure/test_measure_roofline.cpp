// SPDX-License-Identifier: Apache-2.0
// Roofline on the host device: what was asked for is measured, the rest is not, and no memory is kept.
#include "src/measure/roofline/measure_roofline.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "src/report/sections/roofline.h"

namespace breakeven {
namespace {

TEST(MeasureRoofline, MeasuresOnlyTheGivenPrecisions) {
  const std::unique_ptr<Device> device = make_host_device();
  const Roofline roofline = measure::measure_roofline(*device, std::array{Precision::fp32, Precision::bf16});
  for (const double measured :
       {roofline.copy_bytes_per_second, roofline.flops(Precision::fp32), roofline.flops(Precision::bf16),
        roofline.launch_seconds, roofline.node_seconds}) {
    EXPECT_TRUE(std::isfinite(measured));
    EXPECT_GT(measured, 0);
  }
  EXPECT_TRUE(std::isnan(roofline.flops(Precision::tf32)));
  EXPECT_TRUE(std::isnan(roofline.flops(Precision::tf32x3)));
  EXPECT_TRUE(std::isnan(roofline.flops(Precision::fp16)));
  EXPECT_EQ(device->bytes_in_use(), 0u);
}

TEST(RooflineJson, HasEveryPeakAndNullIfNotMeasured) {
  Roofline roofline;
  roofline.flops(Precision::tf32) = 4e14;
  const nlohmann::ordered_json json = report::roofline_as_json(roofline);
  EXPECT_EQ(json.size(), sizeof(Roofline) / sizeof(double));
  EXPECT_EQ(json["tf32_flops_per_second"], 4e14);
  EXPECT_TRUE(json["node_seconds"].is_null());
}

}  // namespace
}  // namespace breakeven
