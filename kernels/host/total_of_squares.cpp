// SPDX-License-Identifier: Apache-2.0
// A squared norm from its parts, with overflow told.
#include <cmath>
#include <numeric>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                                  Stream& /*stream*/) {
  *sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  if (!std::isfinite(*sum) && state->growth_interval > 0) state->overflow = 1;
}

}  // namespace breakeven
