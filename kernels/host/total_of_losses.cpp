// SPDX-License-Identifier: Apache-2.0
// A step's loss from those of its micro-batches.
#include <numeric>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::total_of_losses(std::span<const float> parts, const StepState* state,
                                 std::span<float> losses, Stream& /*stream*/) {
  losses[state->step % losses.size()] = std::accumulate(parts.begin(), parts.end(), 0.0f);
}

}  // namespace breakeven
