// SPDX-License-Identifier: Apache-2.0
// Hopper's instructions without a CUDA C++ function: mbarrier with transaction counts, TMA copies, clusters,
// and registers reallocated between warp groups.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "kernels/cuda/block_barrier.cuh"
#include "kernels/cuda/cluster_memory.cuh"

namespace breakeven::hopper {

// ---- Barriers (mbarrier). A phase ends when all arrivals and all bytes that were announced have come.
// ------

__device__ inline void init_barrier(std::uint64_t& barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals));
}

// Makes initialised barriers visible to the copy engine and to the other blocks of the cluster.
__device__ inline void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Returns once the phase of this parity has ended. It acquires in the scope of the block, the default: that
// of the cluster would also empty the L1 cache (CCTL.IVALL), where nothing lies that waits here.
__device__ inline void wait(std::uint64_t& barrier, std::uint32_t parity) {
  asm volatile(
      "{\n.reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again;\n}\n" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
}

__device__ inline void arrive_and_expect(std::uint64_t& barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

__device__ inline void arrive(std::uint64_t& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier)) : "memory");
}

// Arrives at the same barrier of another block of the cluster, or of this one.
__device__ inline void arrive_at(std::uint64_t& barrier, std::uint32_t block) {
  asm volatile(
      "{\n.reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}\n" ::"r"(shared_address(&barrier)),
      "r"(block)
      : "memory");
}

// ---- Copies of boxes of a matrix into shared memory; the bytes count towards the phase of `barrier`.
// -------

// Orders plain reads and writes of shared memory, this thread's and those that it has waited for, before the
// copies that are issued after it (PTX ISA, "async proxy").
__device__ inline void fence_before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline void prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

__device__ inline void load_box(const CUtensorMap& map, int x, int y, void* to, std::uint64_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier))
      : "memory");
}

// The same for a box that others will read soon: L2 evicts it last.
__device__ inline void load_box_and_keep(const CUtensorMap& map, int x, int y, void* to,
                                         std::uint64_t& barrier) {
  constexpr std::uint64_t evict_last = 0x14F0000000000000;  // as createpolicy makes it
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier)), "l"(evict_last)
      : "memory");
}

// The same into every block of the cluster whose bit is set, at the same address.
__device__ inline void load_box_for(std::uint16_t blocks, const CUtensorMap& map, int x, int y, void* to,
                                    std::uint64_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier)), "h"(blocks)
      : "memory");
}

// The same for a box that is read only once: L2 evicts it first.
constexpr std::uint64_t evict_first = 0x12F0000000000000;  // as createpolicy makes it

__device__ inline void load_box_once(const CUtensorMap& map, int x, int y, void* to, std::uint64_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier)), "l"(evict_first)
      : "memory");
}

// ---- Clusters. As in block_barrier.cuh, all threads of a warp must be together.
// ----------------------------------------------------------------------------------------------

__device__ inline std::uint32_t block_in_cluster() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// A barrier of all threads of a cluster, after which they see each other's writes.
__device__ inline void synchronize_cluster() {
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n" ::
                   : "memory");
}

// A barrier of all threads of a cluster, after which blocks see each other's mbarriers but not other writes:
// waiting for these takes as long as a small product.
__device__ inline void arrive_at_cluster() {
  __syncwarp();
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ inline void wait_for_arrivals_at_cluster() {
  __syncwarp();
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline void wait_for_cluster() {
  wait_for_arrivals_at_cluster();
  __syncthreads();  // within a block all writes are visible
}

// The address of this block's `shared` in another block of the cluster.
template <typename T>
__device__ std::uint32_t address_in(const T& shared, int block) {
  return address_in_block(shared_address(&shared), block);
}

// ---- Warp groups: four warps whose first has a number divisible by four

template <int count>
__device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

template <int count>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

// A barrier of one warp group. Number 0 is __syncthreads.
__device__ inline void synchronize_group(int group) { meet_at_barrier(group + 1, 128); }

// Two warp groups take turns: each waits for its turn, and passes it to the other.
__device__ inline void wait_for_turn(int group) { meet_at_barrier(group + 4, 256); }
__device__ inline void pass_turn(int group) { arrive_at_barrier((group ^ 1) + 4, 256); }

// A barrier of both consumer warp groups.
__device__ inline void synchronize_multiplying() { meet_at_barrier(3, 256); }

}  // namespace breakeven::hopper
