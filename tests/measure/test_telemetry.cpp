// SPDX-License-Identifier: Apache-2.0
// What is not there reads as NaN, "" or "?", and nothing fails: on machines with NVML and without it.
#include "kernels/telemetry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace breakeven {
namespace {

void expect_nothing_known(const GpuReading& reading) {
  EXPECT_TRUE(std::isnan(reading.utilization_percent));
  EXPECT_TRUE(std::isnan(reading.sm_clock_hz));
  EXPECT_TRUE(std::isnan(reading.temperature_celsius));
  EXPECT_TRUE(std::isnan(reading.power_watts));
  EXPECT_TRUE(std::isnan(reading.instant_power_watts));
  EXPECT_TRUE(std::isnan(reading.power_limit_watts));
  EXPECT_TRUE(std::isnan(reading.energy_joules));
  EXPECT_TRUE(std::isnan(reading.throttle_reasons));
  EXPECT_TRUE(std::isnan(reading.device_memory_bytes));
}

constexpr const char* no_such_gpu = "GPU-00000000-0000-0000-0000-000000000000";

TEST(Telemetry, TheHostDeviceHasNoReadings) {
  const GpuMonitor monitor("");
  expect_nothing_known(monitor.read());
  EXPECT_EQ(monitor.driver_version(), "");
}

TEST(Telemetry, AnUnknownGpuHasNoReadings) {
  const GpuMonitor monitor(no_such_gpu);
  expect_nothing_known(monitor.read());
}

TEST(Telemetry, TheLinkBetweenUnknownGpusIsUnknown) {
  EXPECT_EQ(link_kind(no_such_gpu, no_such_gpu), "?");
  EXPECT_EQ(link_kind("", ""), "?");
}

}  // namespace
}  // namespace breakeven
