// SPDX-License-Identifier: Apache-2.0
// Addresses of shared memory, and what a block sends into that of another block of its cluster. All but
// shared_address from sm_90 on (PTX ISA, "mapa" and "st.async").
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"

namespace breakeven {

// Shared memory has addresses of 32 bits of its own.
__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// The same place in a block of the cluster.
__device__ inline std::uint32_t address_in_block(std::uint32_t address, int block) {
  std::uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;\n" : "=r"(mapped) : "r"(address), "r"(block));
  return mapped;
}

// Into shared memory of the cluster; the bytes count towards the phase of the barrier there.
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
