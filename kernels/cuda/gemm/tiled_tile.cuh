// SPDX-License-Identifier: Apache-2.0
// C[m,n] = A B in fp32 on CUDA cores, by tiles: read this kernel first.
//
// A thread block computes a BM x BN tile of C in steps of BK along k. In each step the BM x BK tile of A and
// the BK x BN tile of B go from global memory through registers to shared memory (As, Bs, both with k as the
// row), and each thread multiplies its TM x TN part from registers. Two things keep the cores busy: each
// value read from shared memory is used TM or TN times, and the next tiles are loaded while this one is
// computed. The block has `slices` groups of threads, which share the tile and divide each step's BK: so a
// tile gets enough threads even if C has few tiles. Their sums are added in a fixed order at the end.
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"
#include "kernels/product.h"

namespace breakeven {

struct TiledProblem {
  const float* a;
  const float* b;
  float* c;
  std::int64_t lda, ldb, ldc;
  std::int64_t m, n, k;
};

template <int BM_, int BN_, int BK_, int TM_, int TN_, int slices_>
struct TileShape {
  static constexpr int BM = BM_, BN = BN_, BK = BK_, TM = TM_, TN = TN_, slices = slices_;
  static constexpr int threads_m = BM / TM;
  static constexpr int threads_n = BN / TN;
  static constexpr int threads_per_slice = threads_m * threads_n;
  static constexpr int threads = threads_per_slice * slices;
  static constexpr int blocks_per_multiprocessor = 2;  // at least: at most 128 registers per thread

  static_assert(BM % TM == 0 && BN % TN == 0, "the threads' parts must cover the tile exactly");
  static_assert(TM % 4 == 0 && TN % 4 == 0, "a thread reads As and Bs and writes C four floats at a time");
  static_assert(threads_m % 4 == 0 && threads_n % 8 == 0, "a warp is 4 x 8 threads of the tile");
  static_assert(threads_per_slice % 32 == 0, "a warp belongs to one slice");
  static_assert(BK % slices == 0, "a step of k is divided among the slices");
  static_assert(BK % 4 == 0 && BK <= 32 && 128 % BK == 0,
                "quads of k, at most eight, permute whole banks (column)");
  static_assert(BM % 32 == 0 && BN % 32 == 0, "the permutation stays within 32 floats");
  static_assert(BM * BK / 4 % threads == 0 && BN * BK / 4 % threads == 0,
                "every thread loads the same number of quads");

  // The place of value (k, side) in row k of As or Bs, permuted: otherwise a warp that stores the quads of a
  // few lines transposed would have bank conflicts of up to BK / 4. Quads stay whole.
  static __device__ int column(int k, int side) { return side ^ (k / 4 * (128 / BK)); }
};

// Shared memory of a block: two stages of tiles; after the last step, the sums of the slices.
template <typename Tile>
union GemmShared {
  struct {
    float As[2][Tile::BK][Tile::BM];
    float Bs[2][Tile::BK][Tile::BN];
  } stages;
  float sums[Tile::slices - 1 + (Tile::slices == 1)][Tile::slices == 1 ? 1 : Tile::TM * Tile::TN]
            [Tile::threads_per_slice];
};

// Loads one operand's tile: `side` rows of m (for A) or columns of n (for B), BK deep. The operand is stored
// with k along its lines (k_along_lines: a line is a row of A or a column of B), or with one line per k.
template <typename Tile, int side, bool k_along_lines, bool vectorised>
class TileCarrier {
 public:
  // Tiles begin at `first` of the operand's `sides` rows or columns, and at k = 0.
  __device__ TileCarrier(const float* operand, std::int64_t ld, std::int64_t first, std::int64_t sides)
      : step_(k_along_lines ? Tile::BK : Tile::BK * ld) {
#pragma unroll
    for (int i = 0; i < quads; ++i) {
      const std::int64_t at = first + side_of(i);
      from_[i] = operand + (k_along_lines ? at * ld + k_of(i) : k_of(i) * ld + at);
      inside_[i] = at >= sides ? 0 : k_along_lines || sides - at > 4 ? 4 : static_cast<int>(sides - at);
    }
  }

  // Global memory -> registers: the next tile, of which `depth` of k are in the matrix. Values outside the
  // matrix are not read and count as zeros.
  __device__ void fetch(int depth) {
#pragma unroll
    for (int i = 0; i < quads; ++i) {
      const int deep = depth - k_of(i);
      const int left = k_along_lines ? min(deep, inside_[i]) : (deep > 0 ? inside_[i] : 0);
      quad_[i] = load_quad(from_[i], left, vectorised);
      from_[i] += step_;
    }
  }

  // Registers -> shared memory with k as the row; transposes if k runs along the lines.
  __device__ void store(float (*tile)[side]) const {
#pragma unroll
    for (int i = 0; i < quads; ++i) {
      if constexpr (k_along_lines) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          tile[k_of(i) + j][Tile::column(k_of(i) + j, side_of(i))] = quad_[i].unit[j];
        }
      } else {
        *reinterpret_cast<Quad*>(&tile[k_of(i)][Tile::column(k_of(i), side_of(i))]) = quad_[i];
      }
    }
  }

 private:
  static constexpr int quads = side * Tile::BK / 4 / Tile::threads;  // of each thread
  static constexpr int quads_a_line = (k_along_lines ? Tile::BK : side) / 4;

  // Neighbouring threads take neighbouring quads of a line, so a warp reads whole sectors.
  static __device__ int line_of(int i) { return (threadIdx.x + i * Tile::threads) / quads_a_line; }
  static __device__ int place_of(int i) { return (threadIdx.x + i * Tile::threads) % quads_a_line * 4; }
  static __device__ int side_of(int i) { return k_along_lines ? line_of(i) : place_of(i); }
  static __device__ int k_of(int i) { return k_along_lines ? place_of(i) : line_of(i); }

  const float* from_[quads];
  int inside_[quads];  // how many floats of the quad are in the matrix, not counting the limit of k
  std::int64_t step_;
  Quad quad_[quads];
};

// A thread's part of the tile: TM x TN values in 4 x 4 pieces that lie threads_m * 4 rows and threads_n * 4
// columns apart, so a warp reads 128 consecutive bytes of Bs, without bank conflicts.
template <typename Tile>
struct ThreadPlace {
  int slice, in_slice, row, col;

  __device__ ThreadPlace() {
    slice = threadIdx.x / Tile::threads_per_slice;
    in_slice = threadIdx.x % Tile::threads_per_slice;
    const int warp = in_slice / 32;
    const int lane = in_slice % 32;
    constexpr int warps_n = Tile::threads_n / 8;
    row = 4 * (warp / warps_n * 4 + lane / 8);
    col = 4 * (warp % warps_n * 8 + lane % 8);
  }
  __device__ int row_of(int i) const { return i / 4 * (4 * Tile::threads_m) + row + i % 4; }
  __device__ int col_of(int quad) const { return quad * (4 * Tile::threads_n) + col; }
};

// One step: this slice's share of BK rank-one updates of the thread's part of C.
template <typename Tile>
__device__ void multiply(const float (*As)[Tile::BM], const float (*Bs)[Tile::BN],
                         const ThreadPlace<Tile>& place, float (&sum)[Tile::TM][Tile::TN]) {
  constexpr int share = Tile::BK / Tile::slices;
#pragma unroll
  for (int step = 0; step < share; ++step) {
    const int k = place.slice * share + step;
    Quad a[Tile::TM / 4];
    Quad b[Tile::TN / 4];
#pragma unroll
    for (int i = 0; i < Tile::TM / 4; ++i) {
      a[i] = *reinterpret_cast<const Quad*>(&As[k][Tile::column(k, place.row_of(4 * i))]);
    }
#pragma unroll
    for (int j = 0; j < Tile::TN / 4; ++j) {
      b[j] = *reinterpret_cast<const Quad*>(&Bs[k][Tile::column(k, place.col_of(j))]);
    }
#pragma unroll
    for (int i = 0; i < Tile::TM; ++i) {
#pragma unroll
      for (int j = 0; j < Tile::TN; ++j) sum[i][j] += a[i / 4].unit[i % 4] * b[j / 4].unit[j % 4];
    }
  }
}

}  // namespace breakeven
