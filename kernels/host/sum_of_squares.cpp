// SPDX-License-Identifier: Apache-2.0
// The squared norm of a flat buffer, and the total of several.
#include <array>
#include <cmath>
#include <numeric>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::sum_of_squares(std::size_t count, const float* values, const StepState* state,
                                std::span<double> sums, Stream& /*stream*/) {
  constexpr std::size_t lanes = 8;  // independent sums
  std::array<double, lanes> parts{};
  for (std::size_t i = 0; i < count; ++i) parts[i % lanes] += static_cast<double>(values[i]) * values[i];
  sums[state->step % sums.size()] = std::accumulate(parts.begin(), parts.end(), 0.0);
}

void HostDevice::total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                                  Stream& /*stream*/) {
  *sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  if (!std::isfinite(*sum) && state->growth_interval > 0) state->overflow = 1;
}

}  // namespace breakeven
