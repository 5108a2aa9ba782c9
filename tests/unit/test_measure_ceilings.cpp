// SPDX-License-Identifier: Apache-2.0
// Ceilings on the host device: what was asked for is measured, the rest is not, and no memory is kept.
#include "src/ceilings/measure_ceilings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "src/ceilings/ceilings_json.h"

namespace breakeven {
namespace {

TEST(MeasureCeilings, WhatWasAskedForIsMeasuredAndTheRestIsNot) {
  const std::unique_ptr<Device> device = make_host_device();
  const Ceilings ceilings = measure_ceilings(*device, std::array{Precision::fp32, Precision::bf16});
  for (const double measured :
       {ceilings.copy_bytes_per_second, ceilings.fp32_flops_per_second, ceilings.bf16_flops_per_second,
        ceilings.launch_seconds, ceilings.node_seconds}) {
    EXPECT_TRUE(std::isfinite(measured));
    EXPECT_GT(measured, 0);
  }
  EXPECT_TRUE(std::isnan(ceilings.tf32_flops_per_second));
  EXPECT_TRUE(std::isnan(ceilings.tf32x3_flops_per_second));
  EXPECT_TRUE(std::isnan(ceilings.fp16_flops_per_second));
  EXPECT_EQ(device->bytes_in_use(), 0u);
}

TEST(CeilingsJson, HasEveryCeilingAndNullForWhatIsNotMeasured) {
  Ceilings ceilings;
  ceilings.tf32_flops_per_second = 4e14;
  const nlohmann::ordered_json json = ceilings_as_json(ceilings);
  EXPECT_EQ(json.size(), sizeof(Ceilings) / sizeof(double));
  EXPECT_EQ(json["tf32_flops_per_second"], 4e14);
  EXPECT_TRUE(json["node_seconds"].is_null());
}

}  // namespace
}  // namespace breakeven
