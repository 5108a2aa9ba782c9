// SPDX-License-Identifier: Apache-2.0
#include "src/measure/clocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace breakeven::measure {
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

// Each reading is correct within its uncertainty. If both agree within their uncertainties, an estimated
// drift would be only noise: assume no drift and take the middle. Otherwise assume that the device's clock
// runs at another, constant speed (crystals differ by some ten parts in a million).
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

}  // namespace breakeven::measure
