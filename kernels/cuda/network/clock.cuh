// SPDX-License-Identifier: Apache-2.0
// The GPU's clock, the same on all multiprocessors.
#pragma once

#include <cstdint>

namespace breakeven {

__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;\n" : "=l"(now));
  return now;
}

}  // namespace breakeven
