// SPDX-License-Identifier: Apache-2.0
// A step of a tile by fused multiply-adds on the ordinary cores, in fp32.
//
// A thread has TM x TN elements of the tile. For each four of k it reads a quad of every one of its rows of A
// and columns of B, and makes 4 TM TN multiply-adds out of registers. A warp is 4 x 8 threads, so what it
// reads is used by 8 and by 4 of them.
#pragma once

#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/product.h"

namespace breakeven {

template <int BM_, int BN_, int TM, int TN, int blocks>
struct Ffma {
  using Element = float;
  static constexpr int BM = BM_, BN = BN_;
  static constexpr int threads_m = BM / TM, threads_n = BN / TN;
  static constexpr int threads = threads_m * threads_n;
  static constexpr int blocks_per_multiprocessor = blocks;
  static constexpr int quads = TM * TN / 4;

  static_assert(TM % 4 == 0 && TN % 4 == 0, "a thread's rows and columns come in fours");
  static_assert(threads_m % 4 == 0 && threads_n % 8 == 0, "a warp is 4 x 8 threads of the tile");

  // Rows 4 r + i of a warp's threads are read together: their chunks must lie in different banks. Lines of
  // one k each are read by all threads at once.
  template <bool k_along_lines, int side>
  struct Swizzle {
    static __device__ int chunk(int line, int chunk) {
      return k_along_lines ? chunk ^ (line / 4 % 8) : chunk;
    }
  };

  float sum[TM][TN] = {};

  // A thread's part is cut into pieces of 4 x 4 that lie 4 threads_m rows and 4 threads_n columns apart.
  static __device__ int row_of_thread(int i) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return i / 4 * (4 * threads_m) + 4 * (warp / (threads_n / 8) * 4 + lane / 8) + i % 4;
  }
  static __device__ int col_of_thread(int j) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return j / 4 * (4 * threads_n) + 4 * (warp % (threads_n / 8) * 8 + lane % 8) + j % 4;
  }

  // The four values of k = [4 q, 4 q + 4) for side `at`, which is 4 r + i.
  template <bool k_along_lines, int side>
  static __device__ Quad four_of_k(const char* tile, int at, int q) {
    return *reinterpret_cast<const Quad*>(tile + at * line_bytes_of_k +
                                          Swizzle<k_along_lines, side>::chunk(at, q) * chunk_bytes);
  }

  // The values of `count` sides for four values of k, as value[k][side].
  template <bool k_along_lines, int side, int count, typename Place>
  static __device__ void read(const char* tile, int q, const Place& place, float (&value)[4][count]) {
    if constexpr (k_along_lines) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const Quad quad = four_of_k<k_along_lines, side>(tile, place(i), q);
#pragma unroll
        for (int k = 0; k < 4; ++k) value[k][i] = quad.unit[k];
      }
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < count; i += 4) {
          const auto* line = reinterpret_cast<const float*>(tile) + (4 * q + k) * side;
          const Quad quad = *reinterpret_cast<const Quad*>(line + place(i));
#pragma unroll
          for (int j = 0; j < 4; ++j) value[k][i + j] = quad.unit[j];
        }
      }
    }
  }

  template <GemmLayout layout>
  __device__ void multiply(const char* As, const char* Bs, int depth) {
#pragma unroll 2
    for (int q = 0; q < BK<float> / 4; ++q) {
      if (4 * q >= depth) return;  // the rest of the tile is zeros
      float a[4][TM];
      float b[4][TN];
      read<layout != GemmLayout::tn, BM>(As, q, row_of_thread, a);
      read<layout == GemmLayout::nt, BN>(Bs, q, col_of_thread, b);
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
  static __device__ int row_of(int q) { return row_of_thread(q / (TN / 4)); }
  static __device__ int col_of(int q) { return col_of_thread(q % (TN / 4) * 4); }

  // Column `side` of A's tile, summed over its k: what the gradient of a bias is made of.
  static __device__ float sum_over_k(const char* As, int side, int depth) {
    float total = 0;
    const auto* tile = reinterpret_cast<const float*>(As);
    for (int k = 0; k < min(depth, BK<float>); ++k) total += tile[k * BM + side];
    return total;
  }
};

}  // namespace breakeven
