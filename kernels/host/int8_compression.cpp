// SPDX-License-Identifier: Apache-2.0
// Gradient compression to int8, one scale per block.
#include "kernels/int8_compression.h"

#include <algorithm>
#include <cmath>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::encode_int8(std::size_t count, float* values, float* message, Stream& /*stream*/) {
  auto* const codes = reinterpret_cast<std::int8_t*>(message + int8_blocks(count));
  for (std::size_t block = 0; block < int8_blocks(count); ++block) {
    const std::size_t first = block * int8_block;
    const std::size_t end = std::min(count, first + int8_block);
    float largest = 0;
    for (std::size_t i = first; i < end; ++i) largest = larger_or_nan(largest, std::abs(values[i]));
    const float scale = int8_scale(largest);
    message[block] = scale;
    for (std::size_t i = first; i < end; ++i) {
      codes[i] = int8_encoded(values[i], scale);
      values[i] -= int8_decoded(codes[i], scale);
    }
  }
}

void HostDevice::sum_int8(std::size_t count, const Messages& messages, float* sum, Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) {
    float total = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) {
      const float* const message = messages.of(rank);
      const auto* const codes = reinterpret_cast<const std::int8_t*>(message + int8_blocks(count));
      total += int8_decoded(codes[i], message[i / int8_block]);
    }
    sum[i] = total;
  }
}

}  // namespace breakeven
