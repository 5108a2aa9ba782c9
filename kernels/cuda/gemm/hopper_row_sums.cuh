// SPDX-License-Identifier: Apache-2.0
// The sums of A's rows, which a consumer warp group adds up while it multiplies.
#pragma once

#include "kernels/cuda/gemm/hopper_fragment.cuh"
#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"

namespace breakeven::hopper {

// The sums over k of A's rows, the gradient of a bias. The blocks of the first column of tiles compute them
// if the epilogue needs them.
template <typename Dtype, typename Tile, typename Epilogue>
class RowSums {
 public:
  static constexpr bool wanted = requires(Epilogue epilogue) { epilogue.finish_row(0, 0.0f); };

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
      fence_before_copies();  // the stage is filled again
    }
  }

  // The same from fragments in registers: a lane has two rows and a quarter of k.
  __device__ void add(const std::uint32_t (&fragments)[Tile::row_blocks][4]) {
    if constexpr (wanted) {
      if (!mine_) return;
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
#pragma unroll
        for (int i = 0; i < 4; ++i) sums_[block][i % 2] += __uint_as_float(fragments[block][i]);
      }
    }
  }

  // Adds the quarters in order.
  __device__ void finish(int first_row, int m, int group, float* scratch, Epilogue& epilogue) {
    if constexpr (wanted) {
      if (!mine_) return;
      constexpr int rows = Tile::row_blocks * Tile::block_rows;
      const int thread = threadIdx.x % Tile::group_threads;
      synchronize_group(group);  // every warp has read the old values
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
        float* to = scratch + quarter(thread) * rows + block * Tile::block_rows;
        for (int i = 0; i < 2; ++i) to[row_of_sum(thread, i)] = sums_[block][i];
      }
      synchronize_group(group);
      if (thread < rows && first_row + thread < m) {
        float sum = 0;
        for (int i = 0; i < 4; ++i) sum += scratch[i * rows + thread];
        epilogue.finish_row(first_row + thread, sum);
      }
      synchronize_group(group);  // the same memory is reused next
    }
  }

 private:
  static constexpr bool of_fragments = Tile::value_bytes == 4;
  // Whose part of k and whose rows of a block a thread has.
  static __device__ int quarter(int thread) { return of_fragments ? thread % 4 : thread / 32; }
  static __device__ int row_of_sum(int thread, int i) {
    const int lane = thread % 32;
    return of_fragments ? fragment_row(thread / 32, fragment_place(lane / 4 + i * 8)) : lane * 2 + i;
  }
  struct alignas(4) Pair {
    Dtype first, second;
  };
  bool mine_;
  float sums_[Tile::row_blocks][2] = {};
};

}  // namespace breakeven::hopper
