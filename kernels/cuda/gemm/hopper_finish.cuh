// SPDX-License-Identifier: Apache-2.0
// What a warp group does with the sums of its tile of C: it finishes them, four neighbouring columns at a
// time, and with them the sums of A's rows and the loss where the epilogue is about those.
#pragma once

#include <type_traits>

#include "kernels/cuda/gemm/epilogue.cuh"
#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven::hopper {

// Two neighbouring lanes hold two columns each of rows r and r + 8 (add_product): the even one takes all four
// columns of row r, the odd one those of row r + 8.
__device__ inline Quad exchange(bool odd, const float* mine) {
  const float first = __shfl_xor_sync(~0u, odd ? mine[0] : mine[2], 1);
  const float second = __shfl_xor_sync(~0u, odd ? mine[1] : mine[3], 1);
  return odd ? Quad{{first, second, mine[2], mine[3]}} : Quad{{mine[0], mine[1], first, second}};
}

// Finishes the warp group's part of the tile, which begins at (first_row, first_col) of C. The loads of four
// quads are under way together.
template <typename Tile, typename Epilogue>
__device__ void finish_direct(const float (&sums)[Tile::row_blocks][Tile::BN / 2], int first_row,
                              int first_col, const GemmProblem& p, Epilogue& epilogue) {
  constexpr int together = 4;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x % Tile::group_threads / 32;
  const bool odd = lane % 2 != 0;
  const int row_in_block = 16 * warp + lane / 4 + (odd ? 8 : 0);
  first_col += lane % 4 / 2 * 4;
#pragma unroll
  for (int block = 0; block < Tile::row_blocks; ++block) {
    const int row = first_row + block * Tile::block_rows + row_in_block;
#pragma unroll
    for (int first = 0; first < Tile::BN / 8; first += together) {
      typename Epilogue::Beside beside[together];
#pragma unroll
      for (int i = 0; i < together; ++i) {
        const int col = first_col + 8 * (first + i);
        if (row < p.m && col < p.n) beside[i] = epilogue.load(row, col);
      }
#pragma unroll
      for (int i = 0; i < together; ++i) {
        const int col = first_col + 8 * (first + i);
        const Quad quad = exchange(odd, &sums[block][4 * (first + i)]);
        if (row < p.m && col < p.n) epilogue.finish(row, col, quad, beside[i]);
      }
    }
  }
}

// Through shared memory: a warp lays 16 rows x 64 columns there and takes them up again row by row.
template <typename Tile, typename Epilogue>
__device__ void finish_staged(const float (&sums)[Tile::row_blocks][Tile::BN / 2], int first_row,
                              int first_col, const GemmProblem& p, float* scratch, Epilogue& epilogue) {
  constexpr int together = 4;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x % Tile::group_threads / 32;
  float* slab = scratch + warp * 1024;
#pragma unroll
  for (int block = 0; block < Tile::row_blocks; ++block) {
#pragma unroll
    for (int slice = 0; slice < Tile::BN / 64; ++slice) {
      const int r = lane / 4;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int chunk = (2 * i + lane % 4 / 2) ^ (2 * (r % 4));
        const int at = slice * 32 + 4 * i;
        *reinterpret_cast<float2*>(slab + r * 64 + chunk * 4 + lane % 2 * 2) = {sums[block][at],
                                                                                sums[block][at + 1]};
        *reinterpret_cast<float2*>(slab + (r + 8) * 64 + chunk * 4 + lane % 2 * 2) = {sums[block][at + 2],
                                                                                      sums[block][at + 3]};
      }
      __syncwarp();
      const int col = first_col + slice * 64 + lane % 16 * 4;
#pragma unroll
      for (int first = 0; first < 8; first += together) {
        typename Epilogue::Beside beside[together];
#pragma unroll
        for (int i = 0; i < together; ++i) {
          const int row = first_row + block * 64 + 16 * warp + 2 * (first + i) + lane / 16;
          if (row < p.m && col < p.n) beside[i] = epilogue.load(row, col);
        }
#pragma unroll
        for (int i = 0; i < together; ++i) {
          const int in_slab = 2 * (first + i) + lane / 16;
          const int row = first_row + block * 64 + 16 * warp + in_slab;
          const int chunk = lane % 16 ^ (2 * (in_slab % 4));
          const Quad quad = *reinterpret_cast<const Quad*>(slab + in_slab * 64 + chunk * 4);
          if (row < p.m && col < p.n) epilogue.finish(row, col, quad, beside[i]);
        }
      }
      __syncwarp();
    }
  }
}

// The sums over k of A's rows, which are the gradient of a bias. The blocks of the first column of tiles add
// them up, where the epilogue wants them.
template <typename Element, typename Tile, typename Epilogue>
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
    }
  }

  // Adds the quarters, in their order.
  __device__ void finish(int first_row, int m, int group, float* scratch, Epilogue& epilogue) {
    if constexpr (wanted) {
      if (!mine_) return;
      constexpr int rows = Tile::row_blocks * Tile::block_rows;
      const int thread = threadIdx.x % Tile::group_threads;
#pragma unroll
      for (int block = 0; block < Tile::row_blocks; ++block) {
        float* to = scratch + thread / 32 * rows + block * Tile::block_rows + thread % 32 * 2;
        to[0] = sums_[block][0];
        to[1] = sums_[block][1];
      }
      synchronize_group(group);
      if (thread < rows && first_row + thread < m) {
        float sum = 0;
        for (int quarter = 0; quarter < 4; ++quarter) sum += scratch[quarter * rows + thread];
        epilogue.finish_row(first_row + thread, sum);
      }
      synchronize_group(group);  // what comes next goes to the same place
    }
  }

 private:
  struct alignas(4) Pair {
    Element first, second;
  };
  bool mine_;
  float sums_[Tile::row_blocks][2] = {};
};

// The loss is the sum over all multiplying threads of the grid, in the order of their numbers. The last block
// to arrive, whichever it is, adds the blocks' parts.
template <typename Tile>
__device__ void add_to_loss(const EpilogueArguments& e, double squares, double* of_warp) {
  const int thread = static_cast<int>(threadIdx.x) - Tile::group_threads;
  squares = warp_reduce(squares, Add{});
  if (thread % 32 == 0) of_warp[thread / 32] = squares;
  synchronize_multiplying();
  if (thread >= 32) return;
  unsigned last = 0;
  if (thread == 0) {
    double of_block = 0;
    for (int warp = 0; warp < 8; ++warp) of_block += of_warp[warp];
    e.loss_sums.parts[blockIdx.x] = of_block;
    __threadfence();  // the part is visible before it is counted
    last = atomicInc(e.loss_sums.arrived, gridDim.x - 1) == gridDim.x - 1;  // and the counter is 0 again
    __threadfence();  // all parts were counted before they are read
  }
  if (__shfl_sync(~0u, last, 0) == 0) return;
  double total = 0;
  for (unsigned block = thread; block < gridDim.x; block += 32) total += __ldcg(e.loss_sums.parts + block);
  total = warp_reduce(total, Add{});
  if (thread == 0) e.losses[e.state->step % e.loss_slots] = static_cast<float>(total * e.loss_scale);
}

}  // namespace breakeven::hopper
