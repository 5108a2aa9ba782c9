// SPDX-License-Identifier: Apache-2.0
// Addresses of shared memory, and stores to another block's shared memory in the cluster. All but
// shared_address need sm_90 (PTX ISA, "mapa" and "st.async").
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"

namespace breakeven {

// The 32-bit address within shared memory.
__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// The same address in another block of the cluster.
__device__ inline std::uint32_t address_in_block(std::uint32_t address, int block) {
  std::uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;\n" : "=r"(mapped) : "r"(address), "r"(block));
  return mapped;
}

// Stores to shared memory of the cluster; the bytes count towards the phase of that block's barrier.
__device__ inline void send(std::uint32_t to, const Quad& quad, std::uint32_t barrier) {
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];\n" ::"r"(
          to),
      "f"(quad.unit[0]), "f"(quad.unit[1]), "f"(quad.unit[2]), "f"(quad.unit[3]), "r"(barrier)
      : "memory");
}
__device__ inline void send(std::uint32_t to, float value, std::uint32_t barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];\n" ::"r"(to),
               "f"(value), "r"(barrier)
               : "memory");
}

}  // namespace breakeven
