// SPDX-License-Identifier: Apache-2.0
// Numbers from the device to the host.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "kernels/device.h"

namespace breakeven {

// Waits for all work on the stream.
template <typename T>
std::vector<std::remove_const_t<T>> download(Device& device, std::span<T> from, Stream& stream) {
  std::vector<std::remove_const_t<T>> values(from.size());
  device.copy(values.data(), from.data(), from.size_bytes(), stream);
  stream.synchronize();
  return values;
}

}  // namespace breakeven
