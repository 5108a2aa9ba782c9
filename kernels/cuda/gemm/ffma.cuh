// SPDX-License-Identifier: Apache-2.0
// One step of a tile by fp32 fused multiply-adds on CUDA cores.
//
// A thread computes TM x TN values of the tile. For each four of k it reads a quad of each of its rows of A
// and columns of B, and does 4 TM TN multiply-adds from registers. A warp is 4 x 8 threads, so 8 and 4 of
// them use what it reads.
#pragma once

#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/product.h"

namespace breakeven {

template <int BM_, int BN_, int TM, int TN, int blocks>
struct Ffma {
  using Dtype = float;
  static constexpr int BM = BM_, BN = BN_;
  static constexpr int threads_m = BM / TM, threads_n = BN / TN;
  static constexpr int threads = threads_m * threads_n;
  static constexpr int blocks_per_multiprocessor = blocks;
  static constexpr int quads = TM * TN / 4;

  static_assert(TM % 4 == 0 && TN % 4 == 0, "a thread's rows and columns come in fours");
  static_assert(threads_m % 4 == 0 && threads_n % 8 == 0, "a warp is 4 x 8 threads of the tile");

  // A warp's threads read rows 4 r + i together, so their chunks must lie in different banks. All threads
  // read a line of one k together.
  template <bool k_along_lines, int side>
  struct Swizzle {
    static __device__ constexpr int mask(int line) { return k_along_lines ? line / 4 % 8 : 0; }
  };
  static_assert(threads_m % 8 == 0 && threads_n % 8 == 0, "all rows (columns) of a thread have one mask");

  float sum[TM][TN] = {};

  // A thread's values are 4 x 4 pieces that lie 4 threads_m rows and 4 threads_n columns apart.
  static __device__ int thread_row() {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    return warp / (threads_n / 8) * 4 + static_cast<int>(threadIdx.x) % 32 / 8;
  }
  static __device__ int thread_col() {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    return warp % (threads_n / 8) * 8 + static_cast<int>(threadIdx.x) % 8;
  }

  static __device__ Quad load_shared(std::uint32_t address) {
    Quad quad;
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];\n"
                 : "=f"(quad.unit[0]), "=f"(quad.unit[1]), "=f"(quad.unit[2]), "=f"(quad.unit[3])
                 : "r"(address));
    return quad;
  }

  // Where a thread's first row (column) begins in a tile of `side`.
  template <bool k_along_lines>
  static __device__ std::uint32_t offset_of(int thread) {
    return k_along_lines ? 4 * thread * line_bytes_of_k + thread % 8 * chunk_bytes : 4 * thread * 4;
  }

  // The values of `count` rows (columns) for k = [4 q, 4 q + 4), as value[k][row].
  template <bool k_along_lines, int side, int apart, int count>
  static __device__ void read(std::uint32_t place, int q, float (&value)[4][count]) {
#pragma unroll
    for (int i = 0; i < count; i += 4) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int line = i * apart + j;
        const Quad quad = k_along_lines ? load_shared((place ^ (q * chunk_bytes)) + line * line_bytes_of_k)
                                        : load_shared(place + ((4 * q + j) * side + i * apart) * 4);
#pragma unroll
        for (int u = 0; u < 4; ++u) {
          if constexpr (k_along_lines) {
            value[u][i + j] = quad.unit[u];
          } else {
            value[j][i + u] = quad.unit[u];
          }
        }
      }
    }
  }

  // `As` and `Bs` are addresses in shared memory. `depth` of the tile's k are in the matrix, the rest is
  // zero.
  template <GemmLayout layout>
  __device__ void multiply(std::uint32_t As, std::uint32_t Bs, int depth) {
    constexpr bool a_along_k = layout != GemmLayout::tn;
    constexpr bool b_along_k = layout == GemmLayout::nt;
    const std::uint32_t place_a = As + offset_of<a_along_k>(thread_row());
    const std::uint32_t place_b = Bs + offset_of<b_along_k>(thread_col());
    const int quads_of_k = min(BK<float>, depth + 3) / 4;
#pragma unroll 2
    for (int q = 0; q < quads_of_k; ++q) {
      float a[4][TM];
      float b[4][TN];
      read<a_along_k, BM, threads_m>(place_a, q, a);
      read<b_along_k, BN, threads_n>(place_b, q, b);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < TM; ++i) {
#pragma unroll
          for (int j = 0; j < TN; ++j) sum[i][j] += a[k][i] * b[k][j];
        }
      }
    }
  }

  // Quad q of this thread's sums, and its place in the tile.
  __device__ Quad quad(int q) const {
    const int i = q / (TN / 4);
    const int j = q % (TN / 4) * 4;
    return {{sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]}};
  }
  static __device__ int row_of(int q) {
    const int i = q / (TN / 4);
    return i / 4 * (4 * threads_m) + 4 * thread_row() + i % 4;
  }
  static __device__ int col_of(int q) { return q % (TN / 4) * (4 * threads_n) + 4 * thread_col(); }

  // Sums column `side` of A's tile over its k, for the gradient of a bias.
  static __device__ float sum_over_k(const char* As, int side, int depth) {
    float total = 0;
    const auto* tile = reinterpret_cast<const float*>(As);
    for (int k = 0; k < min(depth, BK<float>); ++k) total += tile[k * BM + side];
    return total;
  }
};

}  // namespace breakeven
