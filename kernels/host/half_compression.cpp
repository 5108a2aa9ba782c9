// SPDX-License-Identifier: Apache-2.0
// Gradient compression to 16 bits per value.
#include "kernels/host/dtype.h"
#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {

void HostDevice::encode_half(std::size_t count, float* values, void* codes, Dtype dtype, Stream& /*stream*/) {
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (std::size_t i = 0; i < count; ++i) {
      const T code = from_float<T>(values[i]);
      static_cast<T*>(codes)[i] = code;
      values[i] -= to_float(code);
    }
  });
}

void HostDevice::widen(std::size_t count, const void* codes, Dtype dtype, float* values, Stream& /*stream*/) {
  to_floats(count, codes, dtype, values);
}

}  // namespace breakeven
