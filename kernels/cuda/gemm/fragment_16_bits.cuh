// SPDX-License-Identifier: Apache-2.0
// Fragments of bf16 and fp16, for mma.m16n8k16 (fragment_blocks.cuh).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/gemm/fragment_blocks.cuh"

namespace breakeven {

// sum += a b by mma.m16n8k16 with operands of type T; fragments as in the PTX manual.
template <typename T>
__device__ void multiply_16_bits(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], float (&sum)[4]) {
  if constexpr (std::is_same_v<T, __half>) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
}

template <typename T>
struct SixteenBitFragments {
  using Dtype = T;
  using A = std::uint32_t[4];
  using B = std::uint32_t[2];

  // Eight lines are read at the same position. Two lines of 64 bytes share a row of banks.
  template <bool k_along_lines, int side>
  struct Swizzle {
    static __device__ constexpr int mask(int line) {
      return k_along_lines || side >= 64 ? line % 8 : line / 2 % 4;
    }
  };

  template <int side>
  static __device__ std::uint32_t offset_across(int k, int at) {
    return k * side * 2 + ((at / 8) ^ Swizzle<false, side>::mask(k)) * chunk_bytes;
  }

  template <bool k_along_lines, int side>
  static __device__ std::uint32_t offset_of_a(int first_row) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if constexpr (k_along_lines) return offset_of_a_along_k(first_row);
    return offset_across<side>(lane % 8 + lane / 16 * 8, first_row + lane / 8 % 2 * 8);
  }
  template <bool k_along_lines, int side>
  static __device__ std::uint32_t offset_of_b(int first_col) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if constexpr (k_along_lines) return offset_of_b_along_k(first_col);
    return offset_across<side>(lane % 16, first_col + lane / 16 * 8);
  }

  // Fragment of A for the warp's product `product`, 16 rows each.
  template <bool k_along_lines, int side>
  static __device__ void read_a(std::uint32_t place, int product, int step, A& a) {
    if constexpr (k_along_lines) {
      read_a_along_k(place, product, step, a);
    } else {
      load_blocks_transposed((place ^ (32 * product)) + step * 32 * side, a[0], a[1], a[2], a[3]);
    }
  }
  // Fragments of B for products `product` and `product + 1`, 8 columns each.
  template <bool k_along_lines, int side>
  static __device__ void read_b(std::uint32_t place, int product, int step, B& b0, B& b1) {
    if constexpr (k_along_lines) {
      read_b_along_k(place, product, step, b0, b1);
    } else {
      load_blocks_transposed((place ^ (16 * product)) + step * 32 * side, b0[0], b0[1], b1[0], b1[1]);
    }
  }

  static constexpr int terms = 1;
  template <int>
  static __device__ void multiply(const A& a, const B& b, float (&sum)[4]) {
    multiply_16_bits<T>(a, b, sum);
  }
};

}  // namespace breakeven
