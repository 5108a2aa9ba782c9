// SPDX-License-Identifier: Apache-2.0
// One block's loop along k, and the store of its tile of C.
#pragma once

#include "kernels/cuda/gemm/tiled_split.cuh"
#include "kernels/cuda/gemm/tiled_tile.cuh"

namespace breakeven {

// Adds A B over the next `depth` of k, from the carriers' position on.
template <typename Tile, typename CarrierA, typename CarrierB>
__device__ void walk(CarrierA& a, CarrierB& b, std::int64_t depth, GemmShared<Tile>& shared,
                     const ThreadPlace<Tile>& place, float (&sum)[Tile::TM][Tile::TN]) {
  const auto fetch = [&](std::int64_t from) {
    const int rows = depth - from < Tile::BK ? static_cast<int>(depth - from) : Tile::BK;
    a.fetch(rows);
    b.fetch(rows);
  };
  const auto store = [&](int stage) {
    a.store(shared.stages.As[stage]);
    b.store(shared.stages.Bs[stage]);
  };
  fetch(0);
  store(0);
  __syncthreads();
  int stage = 0;
  for (std::int64_t k = 0; k < depth; k += Tile::BK) {
    const bool more = k + Tile::BK < depth;
    if (more) fetch(k + Tile::BK);  // starts loading the next tiles
    multiply<Tile>(shared.stages.As[stage], shared.stages.Bs[stage], place, sum);
    stage ^= 1;
    if (more) store(stage);  // into the stage that no thread has read since the last barrier
    __syncthreads();
  }
}

template <typename Tile, bool vectorised>
__device__ void store_tile(const TiledProblem& p, std::int64_t first_m, std::int64_t first_n,
                           const ThreadPlace<Tile>& place, const float (&sum)[Tile::TM][Tile::TN]) {
#pragma unroll
  for (int i = 0; i < Tile::TM; ++i) {
    const std::int64_t row = first_m + place.row_of(i);
    if (row >= p.m) continue;
#pragma unroll
    for (int j = 0; j < Tile::TN / 4; ++j) {
      const std::int64_t col = first_n + place.col_of(j);
      const Quad quad{{sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]}};
      store_quad(p.c + row * p.ldc + col, p.n - col, vectorised, quad);
    }
  }
}

// One block per part of k of each tile of C. Neighbouring blocks take tiles of the same column of C, which
// share tiles of B in cache.
template <typename Tile, GemmLayout layout, bool vectorised>
__global__ __launch_bounds__(Tile::threads,
                             Tile::blocks_per_multiprocessor) void gemm_tiled_kernel(TiledProblem p,
                                                                                     unsigned tiles_m,
                                                                                     TiledSplitK split_k) {
  __shared__ alignas(16) GemmShared<Tile> shared;
  static_assert(sizeof(shared) <= 47 * 1024, "more shared memory than this must be asked for at run time");
  constexpr bool a_along_k = layout != GemmLayout::tn;
  constexpr bool b_along_k = layout == GemmLayout::nt;
  const unsigned tile = blockIdx.x / split_k.count;
  const unsigned part = blockIdx.x % split_k.count;
  const std::int64_t first_m = std::int64_t{tile % tiles_m} * Tile::BM;
  const std::int64_t first_n = std::int64_t{tile / tiles_m} * Tile::BN;
  const std::int64_t first_k = part * split_k.depth;
  const std::int64_t depth = min(split_k.depth, p.k - first_k);

  TileCarrier<Tile, Tile::BM, a_along_k, vectorised> a(p.a + first_k * (a_along_k ? 1 : p.lda), p.lda,
                                                       first_m, p.m);
  TileCarrier<Tile, Tile::BN, b_along_k, vectorised> b(p.b + first_k * (b_along_k ? 1 : p.ldb), p.ldb,
                                                       first_n, p.n);
  const ThreadPlace<Tile> place;
  float sum[Tile::TM][Tile::TN] = {};
  walk<Tile>(a, b, depth, shared, place, sum);
  if constexpr (Tile::slices > 1) add_slices<Tile>(shared, place, sum);
  if (split_k.count > 1 && !add_split_sums<Tile>(split_k, tile, part, place, sum)) return;
  if (place.slice == 0) store_tile<Tile, vectorised>(p, first_m, first_n, place, sum);
}

}  // namespace breakeven
