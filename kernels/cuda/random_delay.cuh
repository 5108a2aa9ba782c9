// SPDX-License-Identifier: Apache-2.0
// Delays that show what a kernel's order rests on. Kernels whose warps, blocks or successors wait for each
// other call be_late_at_random() where lateness must not matter; a build with -DBREAKEVEN_RANDOM_DELAYS=ON
// then gives the same bits. Other builds contain nothing of it.
#pragma once

namespace breakeven {

// One time in eight, the warp sleeps for up to 4 microseconds.
__device__ inline void be_late_at_random() {
#if defined(BREAKEVEN_RANDOM_DELAYS)
  constexpr unsigned golden_ratio = 2654435769u;  // Knuth's multiplicative hash
  const unsigned place = blockIdx.x * 64 + threadIdx.x / 32;
  unsigned dice = (static_cast<unsigned>(clock64()) ^ place * golden_ratio) * golden_ratio;
  dice = __shfl_sync(__activemask(), dice, __ffs(static_cast<int>(__activemask())) - 1) >> 8;
  if (dice % 8 == 0) __nanosleep(dice / 8 % 4096);
#endif
}

}  // namespace breakeven
