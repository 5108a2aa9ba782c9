// SPDX-License-Identifier: Apache-2.0
// The sum of two flat buffers.
#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::add(std::size_t count, const float* values, float* sum, Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += values[i];
}

}  // namespace breakeven
