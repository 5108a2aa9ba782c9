// SPDX-License-Identifier: Apache-2.0
// Multiplies a flat buffer by a factor: a given one, or the one that clips it to a norm.
#include "kernels/clip.h"
#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::scale(std::size_t count, double factor, float* values, Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(values[i] * factor);
}

void HostDevice::clip_to_norm(std::size_t count, const double* sum_of_squares, float limit, float* values,
                              Stream& stream) {
  const float factor = clip_factor(*sum_of_squares, limit);
  if (factor != 1) scale(count, factor, values, stream);
}

}  // namespace breakeven
