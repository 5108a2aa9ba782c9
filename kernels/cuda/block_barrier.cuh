// SPDX-License-Identifier: Apache-2.0
// Barriers of some of a block's warps (PTX ISA, "barrier"). Number 0 is that of __syncthreads. All threads of a
// warp must be together: after a branch by lane, call __syncwarp() first.
#pragma once

namespace breakeven {

// Waits until `threads` threads have met at the barrier, a multiple of 32.
__device__ inline void meet_at_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// The same for warps that wait at different instructions: compute-sanitizer's synccheck takes that for an error
// of `bar`, which is `barrier.aligned`.
__device__ inline void meet_apart_at_barrier(int number, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// Counts as one of them, and waits for nobody.
__device__ inline void arrive_at_barrier(int number, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

}  // namespace breakeven
