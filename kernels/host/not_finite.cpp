// SPDX-License-Identifier: Apache-2.0
// Sets a flag if a value is not finite; copies unless such a flag is set.
#include <cmath>

#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {

void HostDevice::find_not_finite(ConstMatrix values, std::uint32_t* found, Stream& /*stream*/) {
  RowBuffer buffer;
  for (std::int64_t row = 0; row < values.rows; ++row) {
    const float* of_row = read_row(values, row, buffer);
    for (std::int64_t col = 0; col < values.cols; ++col) {
      if (!std::isfinite(of_row[col])) *found = 1;
    }
  }
}

void HostDevice::copy_unless(const std::uint32_t* flag, std::size_t count, const float* from, float* to,
                             Stream& stream) {
  if (*flag == 0) copy(to, from, count * sizeof(float), stream);
}

}  // namespace breakeven
