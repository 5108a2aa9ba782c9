// SPDX-License-Identifier: Apache-2.0
// The registers of a warp-wide product in each precision: how they are read from a tile in shared memory, and
// multiplied. g = lane / 4 is a lane's row of A and column of B, t = lane % 4 its place along k (PTX ISA,
// "Matrix fragments for mma.m16n8k8" and "mma.m16n8k16").
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/gemm/async_tile.cuh"
#include "src/core/precision.h"

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

// Four 8 x 8 blocks of 16-bit pairs; lane l gives the address of row l % 8 of block l / 8.
__device__ inline void load_blocks(std::uint32_t address, std::uint32_t& r0, std::uint32_t& r1,
                                   std::uint32_t& r2, std::uint32_t& r3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
}
__device__ inline void load_blocks_transposed(std::uint32_t address, std::uint32_t& r0, std::uint32_t& r1,
                                              std::uint32_t& r2, std::uint32_t& r3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
}

// Each lane computes its offset into a tile once. What changes from block to block and step to step is added,
// or set by exclusive or in bits that the offset leaves zero: tiles are aligned to 256 bytes, and a warp's
// part of a tile to its size.

// Tiles with k along their lines: 32 bytes of k are two chunks. Blocks of A are rows 0-7 and 8-15 of the
// first chunk, then of the second; blocks of B both chunks of columns 0-7, then of columns 8-15.
__device__ inline std::uint32_t offset_of_a_along_k(int first_row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return (first_row + lane % 16) * line_bytes_of_k + ((lane / 16) ^ (lane % 8)) * chunk_bytes;
}
__device__ inline std::uint32_t offset_of_b_along_k(int first_col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return (first_col + lane % 8 + lane / 16 * 8) * line_bytes_of_k +
         ((lane / 8 % 2) ^ (lane % 8)) * chunk_bytes;
}
__device__ inline void read_a_along_k(std::uint32_t place, int product, int step, std::uint32_t (&a)[4]) {
  load_blocks((place ^ (32 * step)) + product * 16 * line_bytes_of_k, a[0], a[1], a[2], a[3]);
}
__device__ inline void read_b_along_k(std::uint32_t place, int product, int step, std::uint32_t (&b0)[2],
                                      std::uint32_t (&b1)[2]) {
  load_blocks((place ^ (32 * step)) + product * 8 * line_bytes_of_k, b0[0], b0[1], b1[0], b1[1]);
}

// bf16 and fp16: m16n8k16.
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

template <Precision precision>
struct FragmentsFor;
template <>
struct FragmentsFor<Precision::tf32x3> {
  using Type = SplitTf32Fragments;
};
template <>
struct FragmentsFor<Precision::tf32> {
  using Type = Tf32Fragments;
};
template <>
struct FragmentsFor<Precision::bf16> {
  using Type = SixteenBitFragments<__nv_bfloat16>;
};
template <>
struct FragmentsFor<Precision::fp16> {
  using Type = SixteenBitFragments<__half>;
};
template <Precision precision>
using FragmentsOf = typename FragmentsFor<precision>::Type;

}  // namespace breakeven
