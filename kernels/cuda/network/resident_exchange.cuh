// SPDX-License-Identifier: Apache-2.0
// How the blocks of the resident network send each other quads of floats: into the receiver's shared memory,
// where an mbarrier counts the bytes. Before the same place is sent to again, it must have been read: one
// cluster barrier per step ensures that. Its arrive and wait are far enough apart that nobody waits.
#pragma once

#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/split_k.cuh"
#include "kernels/cuda/network/resident_shared.cuh"

namespace breakeven {

// Arrives: this thread will read nothing more that was sent in this step. Its reads of shared memory come
// before what other blocks send after the barrier (PTX ISA 8.6, "fence.release.sync_restrict"). A release of
// all memory would wait for global memory, which lengthens the step.
__device__ inline void end_step_of_cluster() {
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
#else
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
#endif
  hopper::arrive_at_cluster();
}
// The same for a thread whose plain stores another block must see.
__device__ inline void end_step_of_cluster_with_loss() {
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
// Waits until all blocks have arrived.
__device__ inline void wait_for_step_of_cluster() { hopper::wait_for_arrivals_at_cluster(); }

// Returns when all bytes announced to the barrier for phase number `phase` have arrived.
__device__ inline void wait_for_phase(std::uint64_t& barrier, int phase) {
  hopper::wait(barrier, static_cast<std::uint32_t>(phase) % 2);
}

// Copies `bytes`, a multiple of 16, from global memory by TMA.
__device__ inline void copy_line(std::uint32_t to, const float* from, int bytes, std::uint64_t& barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::"r"(to),
      "l"(from), "r"(bytes), "r"(shared_address(&barrier))
      : "memory");
}

__device__ inline void store_in_block(double& to, int block, double value) {
  asm volatile("st.shared::cluster.f64 [%0], %1;\n" ::"r"(address_in_block(shared_address(&to), block)),
               "d"(value)
               : "memory");
}

// Bytes of a layer's input that each block receives.
__device__ inline int bytes_of_values(const ResidentBlock& block, int l) {
  const ResidentLayer& below = block.place(l - 1);
  return resident_rows * below.owners * below.units * static_cast<int>(sizeof(float));
}
// Bytes of the gradient of a layer's output that each of its owners receives.
__device__ inline int bytes_of_gradients(const ResidentBlock& block, int l) {
  return block.place(l + 1).owners * resident_rows * block.place(l).units * static_cast<int>(sizeof(float));
}

// By one thread, before any block sends.
__device__ inline void set_up_exchanges(const ResidentBlock& block) {
  for (std::uint64_t& barrier : block.shared.rows_arrived) hopper::init_barrier(barrier, 1);
  for (int l = 0; l < block.net().layers; ++l) {
    hopper::init_barrier(block.shared.values_arrived[l], 1);
    hopper::init_barrier(block.shared.gradients_arrived[l], 1);
  }
  hopper::fence_barrier_init();
  for (int l = 0; l + 1 < block.net().layers; ++l) {
    hopper::arrive_and_expect(block.shared.values_arrived[l + 1],
                              static_cast<std::uint32_t>(bytes_of_values(block, l + 1)));
    hopper::arrive_and_expect(block.shared.gradients_arrived[l],
                              static_cast<std::uint32_t>(bytes_of_gradients(block, l)));
  }
}

// For step `step` of the launch; the same bytes are announced for the next.
__device__ inline void wait_for_values(const ResidentBlock& block, int l, int step) {
  wait_for_phase(block.shared.values_arrived[l], step);
  if (block.thread() == 0) {
    hopper::arrive_and_expect(block.shared.values_arrived[l],
                              static_cast<std::uint32_t>(bytes_of_values(block, l)));
  }
}
__device__ inline void wait_for_gradients(const ResidentBlock& block, int l, int step) {
  wait_for_phase(block.shared.gradients_arrived[l], step);
  if (block.thread() == 0) {
    hopper::arrive_and_expect(block.shared.gradients_arrived[l],
                              static_cast<std::uint32_t>(bytes_of_gradients(block, l)));
  }
}

}  // namespace breakeven
