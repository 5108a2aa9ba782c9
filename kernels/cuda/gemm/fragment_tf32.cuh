// SPDX-License-Identifier: Apache-2.0
// Fragments of fp32 values, for mma.m16n8k8 in TF32 (fragment_blocks.cuh).
#pragma once

#include <cstdint>

#include "kernels/cuda/gemm/fragment_blocks.cuh"

namespace breakeven {

// Rounds to nearest. Ties go to even from sm_90 on, where that is one instruction, before that away from
// zero.
__device__ inline std::uint32_t round_to_tf32(std::uint32_t value) {
  std::uint32_t rounded;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("cvt.rn.tf32.f32 %0, %1;\n" : "=r"(rounded) : "f"(__uint_as_float(value)));
#else
  asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(rounded) : "f"(__uint_as_float(value)));
#endif
  return rounded;
}

__device__ inline void multiply_tf32(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                                     float (&sum)[4]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t value;
  asm volatile("ld.shared.b32 %0, [%1];\n" : "=r"(value) : "r"(address));
  return value;
}

// fp32 values for m16n8k8, as they are stored.
struct WholeFragments {
  using Dtype = float;

  // With k along the lines, eight lines are read at one position; otherwise four lines at eight positions
  // each.
  template <bool k_along_lines, int side>
  struct Swizzle {
    static __device__ constexpr int mask(int line) { return k_along_lines ? line % 8 : line % 4 * 2; }
  };

  template <int side>
  static __device__ std::uint32_t offset_across(int first) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int at = first + lane / 4;
    return lane % 4 * side * 4 + ((at / 4) ^ (lane % 4 * 2)) * chunk_bytes + at % 4 * 4;
  }
  template <bool k_along_lines, int side>
  static __device__ std::uint32_t offset_of_a(int first_row) {
    if constexpr (k_along_lines) return offset_of_a_along_k(first_row);
    return offset_across<side>(first_row);
  }
  template <bool k_along_lines, int side>
  static __device__ std::uint32_t offset_of_b(int first_col) {
    if constexpr (k_along_lines) return offset_of_b_along_k(first_col);
    return offset_across<side>(first_col);
  }

  template <bool k_along_lines, int side>
  static __device__ void read_whole_a(std::uint32_t place, int product, int step, std::uint32_t (&a)[4]) {
    if constexpr (k_along_lines) {
      read_a_along_k(place, product, step, a);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = load_shared((place ^ (64 * product + i % 2 * 32)) + (8 * step + i / 2 * 4) * side * 4);
      }
    }
  }

  template <bool k_along_lines, int side>
  static __device__ void read_whole_b(std::uint32_t place, int product, int step, std::uint32_t (&b0)[2],
                                      std::uint32_t (&b1)[2]) {
    if constexpr (k_along_lines) {
      read_b_along_k(place, product, step, b0, b1);
    } else {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        b0[i] = load_shared((place ^ (32 * product)) + (8 * step + 4 * i) * side * 4);
        b1[i] = load_shared((place ^ (32 * product + 32)) + (8 * step + 4 * i) * side * 4);
      }
    }
  }
};

struct Tf32Fragments : WholeFragments {
  using A = std::uint32_t[4];
  using B = std::uint32_t[2];

  template <bool k_along_lines, int side>
  static __device__ void read_a(std::uint32_t place, int product, int step, A& a) {
    read_whole_a<k_along_lines, side>(place, product, step, a);
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = round_to_tf32(a[i]);
  }
  template <bool k_along_lines, int side>
  static __device__ void read_b(std::uint32_t place, int product, int step, B& b0, B& b1) {
    read_whole_b<k_along_lines, side>(place, product, step, b0, b1);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      b0[i] = round_to_tf32(b0[i]);
      b1[i] = round_to_tf32(b1[i]);
    }
  }
  static constexpr int terms = 1;
  template <int>
  static __device__ void multiply(const A& a, const B& b, float (&sum)[4]) {
    multiply_tf32(a, b, sum);
  }
};

// fp32 on tensor cores: each operand is the sum of two TF32 numbers (21 bits), and a product is three of
// their four products; the fourth, of the two small numbers, is below fp32's rounding (Ootomo and Yokota,
// "Recovering single precision accuracy from Tensor Cores", IJHPCA 36, 2022, section 3).
struct SplitTf32Fragments : WholeFragments {
  template <int count>
  struct Split {
    std::uint32_t large[count];
    std::uint32_t small[count];

    __device__ void split(const std::uint32_t (&value)[count]) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        large[i] = round_to_tf32(value[i]);
        const float rest = __uint_as_float(value[i]) - __uint_as_float(large[i]);
        small[i] = round_to_tf32(__float_as_uint(rest));
      }
    }
  };
  using A = Split<4>;
  using B = Split<2>;

  template <bool k_along_lines, int side>
  static __device__ void read_a(std::uint32_t place, int product, int step, A& a) {
    std::uint32_t whole[4];
    read_whole_a<k_along_lines, side>(place, product, step, whole);
    a.split(whole);
  }
  template <bool k_along_lines, int side>
  static __device__ void read_b(std::uint32_t place, int product, int step, B& b0, B& b1) {
    std::uint32_t whole0[2];
    std::uint32_t whole1[2];
    read_whole_b<k_along_lines, side>(place, product, step, whole0, whole1);
    b0.split(whole0);
    b1.split(whole1);
  }
  // Adds the smallest terms first.
  static constexpr int terms = 3;
  template <int term>
  static __device__ void multiply(const A& a, const B& b, float (&sum)[4]) {
    multiply_tf32(term == 0 ? a.small : a.large, term == 1 ? b.small : b.large, sum);
  }
};

}  // namespace breakeven
