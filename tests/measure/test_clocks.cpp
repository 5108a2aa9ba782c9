// SPDX-License-Identifier: Apache-2.0
#include "src/measure/clocks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace breakeven {
namespace {

// Of a device whose clock is set to the time.
class SetEvent final : public Event {
 public:
  explicit SetEvent(double seconds) : seconds_(seconds) {}
  void record(Stream& /*stream*/) override {}
  bool reached() const override { return true; }
  double seconds_since(const Event& earlier) const override {
    return seconds_ - dynamic_cast<const SetEvent&>(earlier).seconds_;
  }

 private:
  double seconds_;
};

measure::ClockReading reading(double device, double host, double uncertainty) {
  return {std::make_unique<SetEvent>(device), host, uncertainty};
}

TEST(HostTime, AgreeingReadingsAreAveraged) {
  const measure::HostTime time(reading(5, 100, 2e-6), reading(7, 102 + 3e-6, 4e-6));
  EXPECT_NEAR(time.at(0), 100 + 1.5e-6, 1e-9);
  EXPECT_NEAR(time.at(2), 102 + 1.5e-6, 1e-9);
  EXPECT_EQ(time.uncertainty_seconds(), 4e-6);
}

TEST(HostTime, ASlowerClockIsScaled) {
  const measure::HostTime time(reading(5, 100, 2e-6), reading(15, 110 + 200e-6, 4e-6));
  EXPECT_NEAR(time.at(0), 100, 1e-9);
  EXPECT_NEAR(time.at(5), 105 + 100e-6, 1e-9);
  EXPECT_NEAR(time.at(10), 110 + 200e-6, 1e-9);
}

TEST(HostTime, AnUnrecordedEventIsNaN) {
  const measure::HostTime time(reading(5, 100, 2e-6), reading(std::nan(""), 102, 4e-6));
  EXPECT_TRUE(std::isnan(time.at(1)));
}

TEST(ClockReading, LiesBetweenTwoReadings) {
  const std::unique_ptr<Device> device = make_host_device();
  const std::unique_ptr<Stream> stream = device->make_stream();
  const double before = measure::host_seconds();
  const measure::ClockReading first = measure::read_clocks(*device, *stream);
  const measure::ClockReading second = measure::read_clocks(*device, *stream);
  const double after = measure::host_seconds();
  EXPECT_GE(first.host_seconds - first.uncertainty_seconds, before);
  EXPECT_GE(second.host_seconds - second.uncertainty_seconds, first.host_seconds + first.uncertainty_seconds);
  EXPECT_LE(second.host_seconds + second.uncertainty_seconds, after);
  EXPECT_NEAR(second.event->seconds_since(*first.event), second.host_seconds - first.host_seconds,
              first.uncertainty_seconds + second.uncertainty_seconds + 1e-9);
}

}  // namespace
}  // namespace breakeven
