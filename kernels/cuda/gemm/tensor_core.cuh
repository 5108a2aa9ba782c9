// SPDX-License-Identifier: Apache-2.0
// One step of a tile on tensor cores by mma.sync (PTX ISA; sm_80 and later).
//
// A warp computes WM x WN values of the tile, as WM/16 x WN/8 products of 16 x 8. For each 32 bytes of k it
// reads the fragments of its rows of A and columns of B by ldmatrix, and uses each WN/8 or WM/16 times.
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/product.h"

namespace breakeven {

template <Precision precision, int BM_, int BN_, int WM, int WN, int blocks>
struct TensorCore {
  using Fragments = FragmentsOf<precision>;
  using Dtype = typename Fragments::Dtype;
  static constexpr int BM = BM_, BN = BN_;
  static constexpr int warps_n = BN / WN;
  static constexpr int threads = BM / WM * warps_n * 32;
  static constexpr int blocks_per_multiprocessor = blocks;
  static constexpr int products_m = WM / 16, products_n = WN / 8;
  static constexpr int quads = products_m * products_n;
  static constexpr int steps = line_bytes_of_k / 32;

  static_assert(WM % 16 == 0 && WN % 16 == 0, "fragments of B are read for two products at a time");

  template <bool k_along_lines, int side>
  using Swizzle = typename Fragments::template Swizzle<k_along_lines, side>;

  float sum[products_m][products_n][4] = {};

  static __device__ int warp_row() { return static_cast<int>(threadIdx.x) / 32 / warps_n * WM; }
  static __device__ int warp_col() { return static_cast<int>(threadIdx.x) / 32 % warps_n * WN; }

  // `As` and `Bs` are addresses in shared memory. `depth` of the tile's k are in the matrix, the rest is
  // zero.
  template <GemmLayout layout>
  __device__ void multiply(std::uint32_t As, std::uint32_t Bs, int depth) {
    const std::uint32_t a = As + Fragments::template offset_of_a<layout != GemmLayout::tn, BM>(warp_row());
    const std::uint32_t b = Bs + Fragments::template offset_of_b<layout == GemmLayout::nt, BN>(warp_col());
    if (depth >= BK<Dtype>) {
#pragma unroll
      for (int step = 0; step < steps; ++step) multiply_step<layout>(a, b, step);
    } else {
#pragma unroll 1
      for (int step = 0; step * (BK<Dtype> / steps) < depth; ++step) multiply_step<layout>(a, b, step);
    }
  }

  template <GemmLayout layout>
  __device__ void multiply_step(std::uint32_t place_a, std::uint32_t place_b, int step) {
    typename Fragments::A a[products_m];
    typename Fragments::B b[products_n];
#pragma unroll
    for (int i = 0; i < products_m; ++i) {
      Fragments::template read_a<layout != GemmLayout::tn, BM>(place_a, i, step, a[i]);
    }
#pragma unroll
    for (int j = 0; j < products_n; j += 2) {
      Fragments::template read_b<layout == GemmLayout::nt, BN>(place_b, j, step, b[j], b[j + 1]);
    }
    add_terms(a, b, std::make_integer_sequence<int, Fragments::terms>{});
  }

  // Consecutive products on the same sums depend on each other, so all products of one term come before the
  // next term.
  template <int... term>
  __device__ void add_terms(const typename Fragments::A (&a)[products_m],
                            const typename Fragments::B (&b)[products_n],
                            std::integer_sequence<int, term...>) {
    (add_term<term>(a, b), ...);
  }
  template <int term>
  __device__ void add_term(const typename Fragments::A (&a)[products_m],
                           const typename Fragments::B (&b)[products_n]) {
#pragma unroll
    for (int i = 0; i < products_m; ++i) {
#pragma unroll
      for (int j = 0; j < products_n; ++j) Fragments::template multiply<term>(a[i], b[j], sum[i][j]);
    }
  }

  // A lane has two consecutive columns of rows g and g + 8 of a product. Neighbouring lanes exchange a pair,
  // so the even lane has four columns of row g and the odd lane four of row g + 8.
  __device__ Quad quad(int q) const {
    const float(&mine)[4] = sum[q / products_n][q % products_n];
    const bool odd = threadIdx.x % 2 != 0;
    const float given0 = __shfl_xor_sync(0xFFFFFFFFu, odd ? mine[0] : mine[2], 1);
    const float given1 = __shfl_xor_sync(0xFFFFFFFFu, odd ? mine[1] : mine[3], 1);
    if (odd) return {{given0, given1, mine[2], mine[3]}};
    return {{mine[0], mine[1], given0, given1}};
  }
  static __device__ int row_of(int q) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return warp_row() + q / products_n * 16 + lane / 4 + lane % 2 * 8;
  }
  static __device__ int col_of(int q) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return warp_col() + q % products_n * 8 + lane % 4 / 2 * 4;
  }

  // Sums column `side` of A's tile over its k, for the gradient of a bias.
  static __device__ float sum_over_k(const char* As, int side, int depth) {
    float total = 0;
    for (int k = 0; k < min(depth, BK<Dtype>); ++k) {
      const int chunk = (side / chunk_elements<Dtype>)^Swizzle<false, BM>::mask(k);
      const auto* line = reinterpret_cast<const Dtype*>(As) + k * BM + chunk * chunk_elements<Dtype>;
      total += to_float(line[side % chunk_elements<Dtype>]);
    }
    return total;
  }
};

}  // namespace breakeven
