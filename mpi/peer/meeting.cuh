// SPDX-License-Identifier: Apache-2.0
// How blocks of several GPUs wait for each other.
//
// A block writes what others shall read, then a number to a flag in their memory; they wait for that number.
// Block b waits for the blocks b of the other ranks alone, and a grid is so small that all of it is resident,
// so no block waits for one that cannot run. A kernel launched after one that met all ranks knows that theirs
// before it have ended: so two buffers in turn are enough (rooted.cu).
#pragma once

#include <cstdint>

#include "kernels/cuda/random_delay.cuh"
#include "mpi/peer/peer_group.h"

namespace breakeven::peer {

// An hour, so that a kernel ends at last. The watchdog ends a job far earlier, and does not count time in
// which the job is suspended.
constexpr unsigned long long patience_nanoseconds = 3'600'000'000'000;

__device__ inline void store_release(std::uint32_t* flag, std::uint32_t value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
__device__ inline std::uint32_t load_acquire(const std::uint32_t* flag) {
  std::uint32_t value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Whether waiting is over, which began at `began`. A rank that does not answer is reported once, and nobody
// is waited for again: the numbers are wrong from then on, and Communicator::check() throws.
__device__ inline bool gives_up(unsigned long long began, int rank, const Group& group) {
  if (*static_cast<volatile std::uint32_t*>(&group.counts->gave_up) != 0) return true;
  if (nanoseconds() - began < patience_nanoseconds) return false;
  *static_cast<volatile std::uint32_t*>(&group.counts->gave_up) = 1;
  *static_cast<volatile std::uint32_t*>(group.unanswered) = 1 + static_cast<std::uint32_t>(rank);
  __threadfence_system();
  return true;
}

// Waits until the flag has reached `number`.
__device__ inline void wait_for(const std::uint32_t* flag, std::uint32_t number, int rank,
                                const Group& group) {
  const unsigned long long began = nanoseconds();
  while (static_cast<std::int32_t>(load_acquire(flag) - number) < 0 && !gives_up(began, rank, group)) {
  }
}

// Tells the others that this block has staged for the exchange, and waits until their same block has.
__device__ inline void meet(const Group& group, std::uint32_t exchange) {
  __syncthreads();
  const int other = static_cast<int>(threadIdx.x);
  if (other < group.ranks && other != group.rank) {
    be_late_at_random();
    __threadfence_system();
    store_release(&group.area[other]->flags.arrived[blockIdx.x][group.rank], exchange);
    // The other rank is at most one exchange ahead. Any other number is an old one, however far behind: small
    // exchanges have fewer blocks.
    const std::uint32_t* const flag = &group.area[group.rank]->flags.arrived[blockIdx.x][other];
    const unsigned long long began = nanoseconds();
    while (load_acquire(flag) - exchange > 1 && !gives_up(began, other, group)) {
    }
  }
  __syncthreads();
}

// Called last: the last block to end counts one more. `ended_blocks` is 0 before and after the kernel.
__device__ inline void count_kernel(std::uint32_t& ended_blocks, std::uint32_t& count) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&ended_blocks, 1) + 1 < gridDim.x) return;
  ended_blocks = 0;
  count += 1;
}

}  // namespace breakeven::peer
