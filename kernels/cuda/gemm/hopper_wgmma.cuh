// SPDX-License-Identifier: Apache-2.0
// wgmma: multiplies 64 rows of A and N columns of B, 32 bytes deep in k, both in shared memory, and adds the
// products to sums in the registers of 128 threads.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/gemm/hopper_ptx.cuh"

namespace breakeven::hopper {

// How tiles lie in shared memory: rows of 128 bytes (64 values of 16 bits, 32 of TF32), whose eight 16-byte
// chunks are stored at chunk ^ (row % 8), without bank conflicts for TMA and wgmma. Tiles are aligned to 1024
// bytes. Along k: a row is one row of A or of B^T, with as many k as fit. Across k: a row is one k, with as
// many rows of A (columns of B) as fit; wider tiles are several such blocks, `block_stride` bytes apart.
__device__ inline std::uint64_t describe_tile(std::uint32_t address, std::uint32_t block_stride) {
  constexpr std::uint64_t swizzled_128 = 1;
  constexpr std::uint64_t eight_rows = 1024;
  return (swizzled_128 << 62) | ((eight_rows >> 4) << 32) |
         (static_cast<std::uint64_t>(block_stride >> 4) << 16) | ((address & 0x3ffff) >> 4);
}

// Orders the sums' registers before the products that follow.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Returns when at most `pending` of the committed groups are still running.
template <int pending>
__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// After waiting for all products: keeps the compiler, which does not know of them, from reading sums earlier.
template <int blocks, int count>
__device__ void keep_after_wait(float (&sums)[blocks][count]) {
#pragma unroll
  for (int block = 0; block < blocks; ++block) {
#pragma unroll
    for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sums[block][i])::"memory");
  }
}

// The instruction needs each register by name. The inputs are numbered after the sums.
#define WGMMA_TEXT(N, TYPES, SUMS, A, B, ADDING, ACROSS)                                                 \
  "{\n.reg .pred adding;\nsetp.ne.b32 adding, " ADDING ", 0;\nwgmma.mma_async.sync.aligned.m64n" N TYPES \
  " {" SUMS "}, " A ", " B ", adding, 1, 1" ACROSS ";\n}\n"
#define WGMMA_8(S, I)                                                                         \
  "+f"(S[I]), "+f"(S[I + 1]), "+f"(S[I + 2]), "+f"(S[I + 3]), "+f"(S[I + 4]), "+f"(S[I + 5]), \
      "+f"(S[I + 6]), "+f"(S[I + 7])
#define WGMMA_32(S, I) WGMMA_8(S, I), WGMMA_8(S, I + 8), WGMMA_8(S, I + 16), WGMMA_8(S, I + 24)
#define WGMMA_64(S, I) WGMMA_32(S, I), WGMMA_32(S, I + 32)
#define WGMMA_128(S, I) WGMMA_64(S, I), WGMMA_64(S, I + 64)
#define WGMMA_NAMES_32                                                                              \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
  "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA_NAMES_64                                                                              \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
  "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, " \
  "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, " \
  "%59, %60, %61, %62, %63"
#define WGMMA_NAMES_128                                                                             \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
  "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, " \
  "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, " \
  "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, " \
  "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, " \
  "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, "   \
  "%113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

// The instruction of N columns in each type of operands. TF32 is multiplied along k only.
#define WGMMA(N, REGISTERS, NAMES, A, B, ADDING, ACROSS_A, ACROSS_B)                                  \
  if constexpr (std::is_same_v<Dtype, __nv_bfloat16>) {                                               \
    asm volatile(WGMMA_TEXT(N, "k16.f32.bf16.bf16", NAMES, A, B, ADDING, ", " ACROSS_A ", " ACROSS_B) \
                 : REGISTERS(sums, 0)                                                                 \
                 : "l"(a), "l"(b), "r"(adding), "n"(int{across_a}), "n"(int{across_b}));              \
  } else if constexpr (std::is_same_v<Dtype, __half>) {                                               \
    asm volatile(WGMMA_TEXT(N, "k16.f32.f16.f16", NAMES, A, B, ADDING, ", " ACROSS_A ", " ACROSS_B)   \
                 : REGISTERS(sums, 0)                                                                 \
                 : "l"(a), "l"(b), "r"(adding), "n"(int{across_a}), "n"(int{across_b}));              \
  } else {                                                                                            \
    asm volatile(WGMMA_TEXT(N, "k8.f32.tf32.tf32", NAMES, A, B, ADDING, "")                           \
                 : REGISTERS(sums, 0)                                                                 \
                 : "l"(a), "l"(b), "r"(adding));                                                      \
  }

// sums = A B, or sums += A B where `adding` is not 0. A lane holds, for each eight columns j, two
// neighbouring elements of row r = 16 * warp + lane / 4 in sums[4 * j] and sums[4 * j + 1] (columns 8 * j +
// lane % 4 * 2 and the next), and those of row r + 8 in sums[4 * j + 2] and sums[4 * j + 3]. Dtype float is
// TF32.
template <typename Dtype, int N, bool across_a, bool across_b>
__device__ inline void add_product(std::uint64_t a, std::uint64_t b, int adding, float (&sums)[N / 2]) {
  static_assert(sizeof(Dtype) == 2 || (!across_a && !across_b));
  static_assert(N == 64 || N == 128 || N == 256);
  if constexpr (N == 256) {
    WGMMA("256", WGMMA_128, WGMMA_NAMES_128, "%128", "%129", "%130", "%131", "%132")
  } else if constexpr (N == 128) {
    WGMMA("128", WGMMA_64, WGMMA_NAMES_64, "%64", "%65", "%66", "%67", "%68")
  } else {
    WGMMA("64", WGMMA_32, WGMMA_NAMES_32, "%32", "%33", "%34", "%35", "%36")
  }
}

// The same in TF32 with A from registers, as loaded by hopper_fragment.cuh.
#define WGMMA_OF_REGISTERS(N, REGISTERS, NAMES, A, B, ADDING)             \
  asm volatile(WGMMA_TEXT(N, "k8.f32.tf32.tf32", NAMES, A, B, ADDING, "") \
               : REGISTERS(sums, 0)                                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adding));

template <int N>
__device__ inline void add_product(const std::uint32_t (&a)[4], std::uint64_t b, int adding,
                                   float (&sums)[N / 2]) {
  if constexpr (N == 256) {
    WGMMA_OF_REGISTERS("256", WGMMA_128, WGMMA_NAMES_128, "{%128, %129, %130, %131}", "%132", "%133")
  } else if constexpr (N == 128) {
    WGMMA_OF_REGISTERS("128", WGMMA_64, WGMMA_NAMES_64, "{%64, %65, %66, %67}", "%68", "%69")
  } else {
    WGMMA_OF_REGISTERS("64", WGMMA_32, WGMMA_NAMES_32, "{%32, %33, %34, %35}", "%36", "%37")
  }
}

#undef WGMMA_OF_REGISTERS
#undef WGMMA
#undef WGMMA_TEXT
#undef WGMMA_8
#undef WGMMA_32
#undef WGMMA_64
#undef WGMMA_128
#undef WGMMA_NAMES_32
#undef WGMMA_NAMES_64
#undef WGMMA_NAMES_128

}  // namespace breakeven::hopper
