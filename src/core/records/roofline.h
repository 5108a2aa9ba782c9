// SPDX-License-Identifier: Apache-2.0
// Highest measured rates of a device. Phases of a step and single products are compared with them.
#pragma once

#include <array>
#include <string_view>

#include "src/core/precision.h"
#include "src/core/records/run_record.h"

namespace breakeven {

using RateByPrecision = std::array<double, precisions.size()>;

constexpr RateByPrecision no_rates() {
  RateByPrecision rates{};
  rates.fill(not_measured);
  return rates;
}

// Launch::copy_method: how the copies of the roofline were made. Older files, which have no such word, used
// cudaMemcpyAsync, below what kernels reach (memcpy on the host).
inline constexpr std::string_view copied_by_processor = "kernel";

// NaN where not measured. Flat, so that ranks can gather it as bytes.
struct Roofline {
  double copy_bytes_per_second = not_measured;    // read and written, of a large copy within the device
  RateByPrecision flops_per_second = no_rates();  // of a large square product, by the fastest kernel
  double launch_seconds = not_measured;           // of one of many tiny operations in a stream
  double node_seconds = not_measured;             // the same within a graph

  constexpr double& flops(Precision precision) { return flops_per_second[index_of(precision)]; }
  constexpr double flops(Precision precision) const { return flops_per_second[index_of(precision)]; }
};

}  // namespace breakeven
