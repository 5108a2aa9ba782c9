// SPDX-License-Identifier: Apache-2.0
// The host's clock, and when a device's events were recorded by it: events alone only tell the time between
// them.
#pragma once

#include <chrono>
#include <memory>

#include "kernels/device.h"

namespace breakeven::measure {

// Seconds by the host's monotonic clock.
inline double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// An event, and the host's clock when it was recorded.
struct ClockReading {
  std::unique_ptr<Event> event;
  double host_seconds = 0;
  double uncertainty_seconds = 0;  // the true time is at most this far away
};

// Takes some tens of microseconds. The stream must be idle.
ClockReading read_clocks(Device& device, Stream& stream);

// Converts times by the device's events to host time, between two readings.
class HostTime {
 public:
  HostTime(const ClockReading& before, const ClockReading& after);

  // `since`: seconds after the first reading, by the device's events.
  double at(double since) const { return first_ + since * (1 + drift_); }
  double uncertainty_seconds() const { return uncertainty_; }

 private:
  double first_;
  double drift_ = 0;  // seconds that the host's clock gains on the device's per second
  double uncertainty_;
};

}  // namespace breakeven::measure
