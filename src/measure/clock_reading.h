// SPDX-License-Identifier: Apache-2.0
// The device's clock held against the host's: events say how long it is from one to the next, and this says
// when they were.
#pragma once

#include <memory>

#include "kernels/device.h"

namespace breakeven {

// An event, and the host's clock (host_clock.h) when it was recorded.
struct ClockReading {
  std::unique_ptr<Event> event;
  double host_seconds = 0;
  double uncertainty_seconds = 0;  // the true time is at most so far away
};

// Takes some tens of microseconds; the stream has no work.
ClockReading read_clocks(Device& device, Stream& stream);

// The host's time of what a device's events mark between two readings.
class HostTime {
 public:
  HostTime(const ClockReading& before, const ClockReading& after);

  // `since` are the seconds by the device's events from the reading before on.
  double at(double since) const { return first_ + since * (1 + drift_); }
  double uncertainty_seconds() const { return uncertainty_; }

 private:
  double first_;
  double drift_ = 0;  // what the host's clock gains on the device's in a second
  double uncertainty_;
};

}  // namespace breakeven
