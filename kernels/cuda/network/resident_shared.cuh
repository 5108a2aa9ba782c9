// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block of the resident network besides the places of the plan, and how a thread finds its
// part.
#pragma once

#include "kernels/cuda/network/resident.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

struct ResidentShared {
  std::uint64_t rows_arrived[2];                 // of the batch, with their targets
  std::uint64_t values_arrived[most_layers];     // of the layer's input, from all blocks
  std::uint64_t gradients_arrived[most_layers];  // contributions to the gradient of the layer's output
  double squares[resident_warps];                // sums of squared errors of this block's outputs
  double loss_parts[2][resident_blocks];         // at block 0, by the step's parity
  AdamFactors factors;
  std::uint32_t sample[resident_most_steps][resident_rows];
};

// Access to shared memory by address, four floats at once: with a pointer the compiler emits four stores.
// volatile, so reads and writes stay in program order.
__device__ inline Quad read_quad(std::uint32_t address) {
  Quad quad;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(quad.unit[0]), "=f"(quad.unit[1]), "=f"(quad.unit[2]), "=f"(quad.unit[3])
               : "r"(address));
  return quad;
}
__device__ inline void put_quad(std::uint32_t address, const Quad& quad) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};\n" ::"r"(address), "f"(quad.unit[0]),
               "f"(quad.unit[1]), "f"(quad.unit[2]), "f"(quad.unit[3]));
}
__device__ inline float read_float(std::uint32_t address) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];\n" : "=f"(value) : "r"(address));
  return value;
}
__device__ inline void put_float(std::uint32_t address, float value) {
  asm volatile("st.shared.f32 [%0], %1;\n" ::"r"(address), "f"(value));
}

constexpr int float_bytes = static_cast<int>(sizeof(float));

struct ResidentBlock {
  const ResidentArguments& arguments;
  float* floats;
  std::uint32_t address;  // of `floats`
  ResidentShared& shared;
  int number;  // rank of the block in its cluster

  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int lane() { return thread() % 32; }
  static __device__ int warp() { return thread() / 32; }

  __device__ const NetworkArguments& net() const { return arguments.network; }
  __device__ const LayerArguments& layer(int l) const { return arguments.network.layer[l]; }
  __device__ const ResidentLayer& place(int l) const { return arguments.plan.layer[l]; }

  __device__ bool owns_units_of(int l) const { return number < place(l).owners; }
  __device__ int first_unit(int l) const { return number * place(l).units; }

  // The address of offset `at` of the plan.
  __device__ std::uint32_t address_of(int at) const {
    return address + static_cast<std::uint32_t>(at * float_bytes);
  }

  // For the step with this index in the launch.
  __device__ int rows_at(int step) const { return arguments.plan.rows_at[step % 2]; }
  __device__ int targets_at(int step) const { return arguments.plan.target_at[step % 2]; }
  __device__ int input_at(int l, int step) const { return l == 0 ? rows_at(step) : place(l).input_at; }
  // Free until the next step's rows are requested.
  __device__ int sums_at(int step) const { return rows_at(step + 1); }

  // The row of W that stores unit u of the block. Neighbouring rows belong to neighbouring quads of units, so
  // the threads of a forward product, which have one quad each, read different banks.
  __device__ int place_of_unit(int l, int u) const { return u % 4 * (place(l).units / 4) + u / 4; }
};

}  // namespace breakeven
