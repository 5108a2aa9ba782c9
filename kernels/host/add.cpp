// SPDX-License-Identifier: Apache-2.0
// Adds flat buffers: one to another, and those of all ranks in rank order.
#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::add(std::size_t count, const float* values, float* sum, Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += values[i];
}

void HostDevice::sum_values(std::size_t count, const Messages& messages, float* sum, Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) {
    float total = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) total += messages.of(rank)[i];
    sum[i] = total;
  }
}

}  // namespace breakeven
