// SPDX-License-Identifier: Apache-2.0
// Split-k in the tiled kernel: adds the sums of a block's slices, and those of the blocks that share a tile
// of C, in the order of their indices, so each run gets the same bits.
#pragma once

#include "kernels/cuda/gemm/tiled_tile.cuh"

namespace breakeven {

// k in `count` parts of `depth` each (the last may be shorter), one block per part and tile of C. It fills
// the GPU if C has few tiles and k is long.
struct TiledSplitK {
  unsigned count;
  std::int64_t depth;
  float* sums;             // [tile][part][element of the tile]
  std::uint32_t* arrived;  // [tile]: blocks that are done; 0 between products
};

// Slice 0 adds the other slices' sums to its own.
template <typename Tile>
__device__ void add_slices(GemmShared<Tile>& shared, const ThreadPlace<Tile>& place,
                           float (&sum)[Tile::TM][Tile::TN]) {
  if (place.slice > 0) {
#pragma unroll
    for (int i = 0; i < Tile::TM * Tile::TN; ++i) {
      shared.sums[place.slice - 1][i][place.in_slice] = sum[i / Tile::TN][i % Tile::TN];
    }
  }
  __syncthreads();
  if (place.slice > 0) return;
#pragma unroll
  for (int slice = 1; slice < Tile::slices; ++slice) {
#pragma unroll
    for (int i = 0; i < Tile::TM * Tile::TN; ++i) {
      sum[i / Tile::TN][i % Tile::TN] += shared.sums[slice - 1][i][place.in_slice];
    }
  }
}

// Every block stores its sums. The last block of a tile to arrive gets true, and its slice 0 the total.
template <typename Tile>
__device__ bool add_split_sums(const TiledSplitK& split_k, unsigned tile, unsigned part,
                               const ThreadPlace<Tile>& place, float (&sum)[Tile::TM][Tile::TN]) {
  __shared__ bool is_last;
  constexpr int elements = Tile::BM * Tile::BN;
  float* of_tile = split_k.sums + std::int64_t{tile} * split_k.count * elements + place.in_slice;
  if (place.slice == 0) {
    float* mine = of_tile + std::int64_t{part} * elements;
#pragma unroll
    for (int i = 0; i < Tile::TM * Tile::TN; ++i) {
      mine[i * Tile::threads_per_slice] = sum[i / Tile::TN][i % Tile::TN];
    }
  }
  __threadfence();  // sums are visible before they are counted
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(split_k.arrived + tile, split_k.count - 1) == split_k.count - 1;  // wraps to 0
    __threadfence();  // sums are read only after all were counted
  }
  __syncthreads();
  if (!is_last || place.slice > 0) return is_last;
#pragma unroll
  for (int i = 0; i < Tile::TM * Tile::TN; ++i) sum[i / Tile::TN][i % Tile::TN] = 0;
  for (unsigned from = 0; from < split_k.count; ++from) {
#pragma unroll
    for (int i = 0; i < Tile::TM * Tile::TN; ++i) {
      sum[i / Tile::TN][i % Tile::TN] +=
          __ldcg(of_tile + std::int64_t{from} * elements + i * Tile::threads_per_slice);
    }
  }
  return true;
}

}  // namespace breakeven
