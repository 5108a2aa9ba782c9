// SPDX-License-Identifier: Apache-2.0
// What a warp group does with the sums of its tile of C: hands them over, four neighbouring columns at a
// time, and with them the sums of A's rows where the epilogue wants those.
#pragma once

#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven::hopper {

// Two neighbouring lanes hold two columns each of rows r and r + 8 (add_product): the even one takes all four
// columns of row r, the odd one those of row r + 8.
__device__ inline Quad exchange(bool odd, const float (&mine)[4]) {
  const float first = __shfl_xor_sync(~0u, odd ? mine[0] : mine[2], 1);
  const float second = __shfl_xor_sync(~0u, odd ? mine[1] : mine[3], 1);
  return odd ? Quad{{first, second, mine[2], mine[3]}} : Quad{{mine[0], mine[1], first, second}};
}

// Calls finish(row, col, quad) for each four elements of C in the warp group's part of the tile, which begins
// at (first_row, first_col). The last quad of a row may reach beyond n.
template <typename Tile, typename Finish>
__device__ void hand_over(const float (&sums)[Tile::row_blocks][Tile::BN / 2], int first_row, int first_col,
                          const Shape& shape, Finish& finish) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x % Tile::group_threads / 32;
  const bool odd = lane % 2 != 0;
  const int row_in_block = 16 * warp + lane / 4 + (odd ? 8 : 0);
  const int col_in_eight = lane % 4 / 2 * 4;
#pragma unroll
  for (int block = 0; block < Tile::row_blocks; ++block) {
    const int row = first_row + block * Tile::block_rows + row_in_block;
#pragma unroll
    for (int i = 0; i < Tile::BN / 8; ++i) {
      const int col = first_col + 8 * i + col_in_eight;
      const float mine[4] = {sums[block][4 * i], sums[block][4 * i + 1], sums[block][4 * i + 2],
                             sums[block][4 * i + 3]};
      const Quad quad = exchange(odd, mine);
      if (row < shape.m && col < shape.n) finish(row, col, quad);
    }
  }
}

// The sums over k of A's rows, which make up the gradient of the bias in tn. Only the blocks of the first
// column of tiles add them up; nobody does where the epilogue has no row_sum(row, sum).
template <typename Element, GemmLayout layout, typename Tile, typename Finish>
class RowSums {
 public:
  static constexpr bool wanted = layout == GemmLayout::tn && requires(Finish finish) {
    finish.row_sum(std::int64_t{}, 0.0f);
  };

  __device__ explicit RowSums(bool mine) : mine_(mine) {}

  // A stage of the warp group's rows: row_blocks times [64 of k][64 rows], as describe_tile says. A warp
  // takes a quarter of k, a lane two rows.
  __device__ void add(const unsigned char* a) {
    if constexpr (wanted) {
      if (!mine_) return;
      const int lane = threadIdx.x % 32;
      const int quarter = threadIdx.x % Tile::group_threads / 32;
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
#pragma unroll 4
        for (int i = 0; i < Tile::BK / 4; ++i) {
          const int k = quarter * (Tile::BK / 4) + i;
          const int offset = k * Tile::row_bytes + ((lane / 4) ^ (k % 8)) * 16 + lane % 4 * 4;
          const Pair pair = *reinterpret_cast<const Pair*>(a + block * Tile::row_block_bytes + offset);
          sums_[block][0] += static_cast<float>(pair.first);
          sums_[block][1] += static_cast<float>(pair.second);
        }
      }
    }
  }

  // Adds the quarters, in order, and hands each row's sum over.
  __device__ void hand_over(int first_row, int m, int group, float* scratch, Finish& finish) {
    if constexpr (wanted) {
      if (!mine_) return;
      constexpr int rows = Tile::row_blocks * Tile::block_rows;
      const int thread = threadIdx.x % Tile::group_threads;
      float* quarters = scratch + group * 4 * rows;
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
        float* to = quarters + thread / 32 * rows + block * Tile::block_rows + thread % 32 * 2;
        to[0] = sums_[block][0];
        to[1] = sums_[block][1];
      }
      synchronize_group(group);
      for (int row = thread; row < rows && first_row + row < m; row += Tile::group_threads) {
        float sum = 0;
        for (int quarter = 0; quarter < 4; ++quarter) sum += quarters[quarter * rows + row];
        finish.row_sum(first_row + row, sum);
      }
      synchronize_group(group);  // the next tile's sums go to the same place
    }
  }

 private:
  struct alignas(4) Pair {
    Element first, second;
  };
  bool mine_;
  float sums_[Tile::row_blocks][2] = {};
};

}  // namespace breakeven::hopper
