// SPDX-License-Identifier: Apache-2.0
// The epilogue of a product that was computed as its transpose (hopper_tile.cuh, Form): a row of sums is a
// column of C. TF32 in layout nn.
#pragma once

#include "kernels/cuda/gemm/hopper_finish.cuh"

namespace breakeven::hopper {

// One warp's epilogue of its part of a tile, which begins at (row, col) of C, in slabs of 32 rows of C and
// the 16 columns that the warp multiplies. A slab is written as rows of C, so that a quad is 16 bytes again.
// The other inputs of a slab are loaded during the previous one. `whole`: as for Finisher.
template <typename Tile, typename Epilogue, bool whole>
class TransposedFinisher {
 public:
  __device__ TransposedFinisher(const GemmProblem& p, int row, int col, float* scratch, Epilogue& epilogue)
      : p_(p),
        row_(row + lane() / quads_across),
        col_(col + fragment_row(warp(), lane() % quads_across * 4)),
        slab_(scratch + warp() * slab_rows * row_floats),
        epilogue_(epilogue) {}

  __device__ void run(const float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
    Operands even, odd;
    load(0, even);
#pragma unroll 1
    for (int slab = 0; slab < slabs; slab += 2) {
      load(slab + 1, odd);
      finish(slab, sums, even);
      if (slab + 2 < slabs) load(slab + 2, even);
      finish(slab + 1, sums, odd);
    }
  }

 private:
  static constexpr int slab_rows = 32, quads_across = 4, rows_at_once = 32 / quads_across;
  static constexpr int row_floats = 20;  // padded, against bank conflicts
  static_assert(4 * slab_rows * row_floats <= Tile::scratch_floats);
  static constexpr int slabs_down = Tile::BN / slab_rows, slabs = Tile::row_blocks * slabs_down;
  static_assert(slabs % 2 == 0);
  static constexpr int together = slab_rows / rows_at_once;
  struct Operands {
    typename Epilogue::Operands of_quad[together];
  };

  static __device__ int lane() { return threadIdx.x % 32; }
  static __device__ int warp() { return threadIdx.x % Tile::group_threads / 32; }
  // Quads 0 and 2 of a row, and 1 and 3, are neighbours: lanes that write one value each of two quads and
  // four rows have 32 different banks.
  __device__ float* place(int row, int quad) const {
    return slab_ + row * row_floats + (quad / 2 + quad % 2 * 2) * 4;
  }

  __device__ int row_of(int slab, int i) const {
    return row_ + slab % slabs_down * slab_rows + i * rows_at_once;
  }
  __device__ int col_of(int slab) const { return col_ + slab / slabs_down * Tile::block_rows; }
  __device__ bool inside(int row, int col) const { return whole || (row < p_.m && col < p_.n); }

  __device__ void load(int slab, Operands& operands) {
    const int col = col_of(slab);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int row = row_of(slab, i);
      if (inside(row, col)) operands.of_quad[i] = epilogue_.template load<whole>(row, col);
    }
  }
  // The sums of 32 columns of the transpose, as add_product leaves them.
  __device__ void lay_down(const float* sums) {
    const int upper = fragment_place(lane() / 4), lower = fragment_place(lane() / 4 + 8);
#pragma unroll
    for (int eight = 0; eight < slab_rows / 8; ++eight) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int row = eight * 8 + lane() % 4 * 2 + i;
        place(row, upper / 4)[upper % 4] = sums[4 * eight + i];
        place(row, lower / 4)[lower % 4] = sums[4 * eight + i + 2];
      }
    }
  }
  __device__ void finish(int slab, const float (&sums)[Tile::row_blocks][Tile::BN / 2], Operands& operands) {
    __syncwarp();  // all lanes have read the previous slab
#pragma unroll
    for (int i = 0; i < slabs; ++i) {  // unrolled: registers cannot be indexed at run time
      if (i == slab) lay_down(&sums[i / slabs_down][i % slabs_down * (slab_rows / 2)]);
    }
    __syncwarp();
    const int col = col_of(slab);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int row = row_of(slab, i);
      const Quad sum = *reinterpret_cast<const Quad*>(
          place(i * rows_at_once + lane() / quads_across, lane() % quads_across));
      if (inside(row, col)) epilogue_.template finish<whole>(row, col, sum, operands.of_quad[i]);
    }
  }

  const GemmProblem& p_;
  const int row_, col_;  // of this thread's first quad
  float* const slab_;
  Epilogue& epilogue_;
};

template <typename Tile, typename Epilogue>
__device__ void finish_transposed(const float (&sums)[Tile::row_blocks][Tile::BN / 2], int row, int col,
                                  const GemmProblem& p, float* scratch, Epilogue& epilogue) {
  if (p.epilogue.vectorised && row + Tile::BN <= p.m && col + Tile::row_blocks * Tile::block_rows <= p.n) {
    TransposedFinisher<Tile, Epilogue, true>(p, row, col, scratch, epilogue).run(sums);
  } else {
    TransposedFinisher<Tile, Epilogue, false>(p, row, col, scratch, epilogue).run(sums);
  }
}

}  // namespace breakeven::hopper
