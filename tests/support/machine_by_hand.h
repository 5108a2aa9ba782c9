// SPDX-License-Identifier: Apache-2.0
// A machine as a launch would have measured it, made up by the test.
#pragma once

#include "src/core/records/message_times.h"
#include "src/core/records/roofline.h"

namespace breakeven {

inline Roofline roofline_by_hand() {
  Roofline roofline;
  roofline.copy_bytes_per_second = 2.7e12;
  roofline.flops(Precision::fp32) = 5e13;
  roofline.node_seconds = 1e-6;
  return roofline;
}

// Calls of NCCL on two ranks that take 8 us and 300 GB/s.
inline MessageTimes message_times_by_hand() {
  MessageTimes times(2);
  for (std::size_t kind = 0; kind < probed_kinds; ++kind) {
    const std::span<double> seconds = times.of(*place_of(Transport::nccl), 2, static_cast<Collective>(kind));
    for (std::size_t size = 0; size < message_sizes; ++size)
      seconds[size] = 8e-6 + static_cast<double>(message_size(size)) / 3e11;
  }
  return times;
}

}  // namespace breakeven
