// SPDX-License-Identifier: Apache-2.0
#include "src/measure/clock_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/measure/host_clock.h"

namespace breakeven {
namespace {

constexpr int tries = 5;

}  // namespace

ClockReading read_clocks(Device& device, Stream& stream) {
  ClockReading best{nullptr, 0, std::numeric_limits<double>::infinity()};
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::unique_ptr<Event> event = device.make_event();
    const double start = host_seconds();
    event->record(stream);
    stream.synchronize();
    const double half = (host_seconds() - start) / 2;
    if (half < best.uncertainty_seconds) best = {std::move(event), start + half, half};
  }
  return best;
}

// Both readings are right within their uncertainties. Where they agree within them, a drift would be made of
// nothing else: the clocks are taken to run alike, in the middle of both. Where they do not, the device's
// clock runs at another speed (crystals differ by up to some ten parts in a million), evenly.
HostTime::HostTime(const ClockReading& before, const ClockReading& after)
    : first_(before.host_seconds),
      uncertainty_(std::max(before.uncertainty_seconds, after.uncertainty_seconds)) {
  const double by_device = after.event->seconds_since(*before.event);
  const double gained = after.host_seconds - before.host_seconds - by_device;
  if (std::abs(gained) <= before.uncertainty_seconds + after.uncertainty_seconds) {
    first_ += gained / 2;
  } else {
    drift_ = gained / by_device;
  }
}

}  // namespace breakeven
