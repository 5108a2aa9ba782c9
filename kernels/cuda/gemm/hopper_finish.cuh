// SPDX-License-Identifier: Apache-2.0
// The epilogue of a consumer warp group's tile of C, four consecutive columns at a time, including the
// loss if the epilogue needs it.
#pragma once

#include <type_traits>

#include "kernels/cuda/gemm/epilogue.cuh"
#include "kernels/cuda/gemm/hopper_fragment.cuh"
#include "kernels/cuda/gemm/hopper_ptx.cuh"
#include "kernels/cuda/gemm/hopper_tile.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven::hopper {

// Sums go through shared memory: a warp writes a slab of 16 rows and reads it back row by row. So loads and
// stores in C's shape cover whole cache lines, and the epilogue's instructions exist once: unrolled over all
// sums of a thread they would not fit the instruction cache.

// The place of four columns in a slab, without bank conflicts both for lanes that write two columns of four
// rows and for lanes that read 32 columns of one row.
template <int cols>
__device__ float* slab_quad(float* slab, int row, int quad) {
  return slab + row * cols + (quad ^ (row % 4 * 2)) * 4;
}

// Of eight columns, two neighbouring lanes hold two columns each of the same two rows (add_product). They
// exchange values: one gets four columns of the upper row, the other four of the lower.
__device__ inline Quad quad_of_pairs(const float* sums, bool lower) {
  const float x = __shfl_xor_sync(~0u, lower ? sums[0] : sums[2], 1);
  const float y = __shfl_xor_sync(~0u, lower ? sums[1] : sums[3], 1);
  return lower ? Quad{x, y, sums[2], sums[3]} : Quad{sums[0], sums[1], x, y};
}

// The place of a quad in a slab of 16 rows that is passed on: blocks of eight columns, in them rows of two
// quads. Lanes that write have two quads of each of 16 rows, lanes that read many quads of one row. Permuted
// rows avoid bank conflicts of both.
__device__ inline int slab_place(int row, int quad) {
  const int eight = quad / 2;
  return eight * 32 + ((row ^ eight % 4) * 2 + quad % 2);
}

// The place in a slab of one of a warp's 16 rows of sums, and the row of the tile's block of 64 that such a
// place has. `of_fragments`: A was loaded into registers, which permutes the rows.
template <bool of_fragments>
__device__ int place_in_slab(int row) {
  return of_fragments ? fragment_place(row) : row;
}
template <bool of_fragments>
__device__ int row_of_place(int warp, int place) {
  return of_fragments ? fragment_row(warp, place) : warp * 16 + place;
}

// Writes the sums of a slab, as add_product leaves them.
template <int cols, bool of_fragments>
__device__ void lay_down(const float* sums, float* slab) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int eight = 0; eight < cols / 8; ++eight) {
    const int quad = 2 * eight + lane % 4 / 2;
    const float* mine = sums + 4 * eight;
    const int upper_row = place_in_slab<of_fragments>(lane / 4);
    const int lower_row = place_in_slab<of_fragments>(lane / 4 + 8);
    auto* upper = reinterpret_cast<float2*>(slab_quad<cols>(slab, upper_row, quad));
    auto* lower = reinterpret_cast<float2*>(slab_quad<cols>(slab, lower_row, quad));
    upper[lane % 2] = {mine[0], mine[1]};
    lower[lane % 2] = {mine[2], mine[3]};
  }
}

// One warp's epilogue of its part of a tile, which begins at (row, col) of C: slab by slab, each in steps of
// a few quads. A step's other inputs are loaded during the previous step, because memory latency exceeds
// everything else here. `whole`: the part lies within C and every quad is aligned, so no branch separates the
// loads.
template <typename Tile, typename Epilogue, bool whole, bool of_fragments>
class Finisher {
 public:
  __device__ Finisher(const GemmProblem& p, int row, int col, float* scratch, Epilogue& epilogue)
      : p_(p),
        row_(row),
        col_(col + quad() * 4),
        slab_(scratch + warp() * slab_rows * slab_cols),
        epilogue_(epilogue) {}

  __device__ void run(const float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
    Operands even, odd;
    load(0, even);
#pragma unroll 1
    for (int step = 0; step < steps; step += 2) {
      if (step % steps_per_slab == 0) lay_down(step / steps_per_slab, sums);
      load(step + 1, odd);
      finish(step, even);
      if (step + 2 < steps) load(step + 2, even);
      finish(step + 1, odd);
    }
    __syncwarp();  // the slab may be overwritten
  }

 private:
  static constexpr int slab_rows = Tile::slab_rows, slab_cols = Tile::slab_cols;
  static constexpr int quads_across = slab_cols / 4, rows_at_once = 32 / quads_across;
  static constexpr int slabs_across = Tile::BN / slab_cols;
  static constexpr int slabs = Tile::row_blocks * slabs_across;
  // As many as the registers hold twice.
  static constexpr bool few_sums = Tile::row_blocks * Tile::BN <= 128;
  static constexpr bool needs_much = sizeof(typename Epilogue::Operands) > sizeof(Quad);
  static constexpr int together = needs_much && !few_sums ? 1 : 2;
  static constexpr int steps_per_slab = slab_rows / rows_at_once / together;
  static_assert(steps_per_slab % 2 == 0, "a pair of steps is of one slab");
  static constexpr int steps = slabs * steps_per_slab;
  struct Operands {
    typename Epilogue::Operands of_quad[together];
  };

  static __device__ int warp() { return threadIdx.x % Tile::group_threads / 32; }
  static __device__ int quad() { return threadIdx.x % quads_across; }
  static __device__ int row_in_step() { return threadIdx.x % 32 / quads_across; }

  __device__ int row_of(int step, int i) const {
    return row_ + step / steps_per_slab / slabs_across * Tile::block_rows +
           row_of_place<of_fragments>(warp(), place_of(step, i));
  }
  __device__ int place_of(int step, int i) const {
    return (step % steps_per_slab * together + i) * rows_at_once + row_in_step();
  }
  __device__ int col_of(int step) const { return col_ + step / steps_per_slab % slabs_across * slab_cols; }
  __device__ bool inside(int row, int col) const { return whole || (row < p_.m && col < p_.n); }
  __device__ void lay_down(int slab, const float (&sums)[Tile::row_blocks][Tile::BN / 2]) {
    __syncwarp();  // all lanes have read the previous slab
#pragma unroll
    for (int i = 0; i < slabs; ++i) {  // unrolled: registers cannot be indexed at run time
      if (i == slab)
        hopper::lay_down<slab_cols, of_fragments>(&sums[i / slabs_across][i % slabs_across * (slab_cols / 2)],
                                                  slab_);
    }
    __syncwarp();
  }
  __device__ void load(int step, Operands& operands) {
    const int col = col_of(step);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int row = row_of(step, i);
      if (inside(row, col)) operands.of_quad[i] = epilogue_.template load<whole>(row, col);
    }
  }
  __device__ void finish(int step, Operands& operands) {
    const int col = col_of(step);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const Quad sum = *reinterpret_cast<const Quad*>(slab_quad<slab_cols>(slab_, place_of(step, i), quad()));
      const int row = row_of(step, i);
      if (inside(row, col)) epilogue_.template finish<whole>(row, col, sum, operands.of_quad[i]);
    }
  }

  const GemmProblem& p_;
  const int row_, col_;  // of the part's first row, and of this thread's first quad
  float* const slab_;
  Epilogue& epilogue_;
};

template <typename Tile, bool of_fragments, typename Epilogue>
__device__ void finish(const float (&sums)[Tile::row_blocks][Tile::BN / 2], int row, int col,
                       const GemmProblem& p, float* scratch, Epilogue& epilogue) {
  if (p.epilogue.vectorised && row + Tile::row_blocks * Tile::block_rows <= p.m && col + Tile::BN <= p.n) {
    Finisher<Tile, Epilogue, true, of_fragments>(p, row, col, scratch, epilogue).run(sums);
  } else {
    Finisher<Tile, Epilogue, false, of_fragments>(p, row, col, scratch, epilogue).run(sums);
  }
}

// Sums the loss over all consumer threads of the grid in the order of their indices. The last block to arrive
// adds the partial sums of all blocks.
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
    __threadfence();  // the partial sum is visible before it is counted
    last = atomicInc(e.loss_sums.arrived, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0
    __threadfence();  // partial sums are read only after all were counted
  }
  if (__shfl_sync(~0u, last, 0) == 0) return;
  double total = 0;
  for (unsigned block = thread; block < gridDim.x; block += 32) total += __ldcg(e.loss_sums.parts + block);
  total = warp_reduce(total, Add{});
  if (thread == 0) e.losses[e.state->step % e.loss_slots] = static_cast<float>(total * e.loss_scale);
}

// Calls `run` with the product's epilogue.
template <typename Dtype, GemmLayout layout, typename Tile, typename Run>
__device__ void with_epilogue(const GemmProblem& p, Shared<Tile>& shared, const Run& run) {
  const auto with = [&](auto epilogue) { run(epilogue); };
  const EpilogueKind kind = p.epilogue.kind;
  const bool wide = p.c_dtype == breakeven::Dtype::fp32;
  const auto store = [&] { wide ? with(StoreEpilogue<float>(p)) : with(StoreEpilogue<Dtype>(p)); };
  if constexpr (layout == GemmLayout::nt) {
    if (kind == EpilogueKind::bias_relu_dropout) {
      with(BiasReluDropoutEpilogue<Dtype>(p));
    } else if (kind == EpilogueKind::squared_error) {
      SquaredErrorEpilogue<Dtype> epilogue(p);
      run(epilogue);
      add_to_loss<Tile>(p.epilogue, epilogue.squares, shared.squares);
    } else if (kind == EpilogueKind::add_bias) {
      wide ? with(AddBiasEpilogue<float>(p)) : with(AddBiasEpilogue<Dtype>(p));
    } else {
      store();
    }
  } else if constexpr (layout == GemmLayout::nn) {
    kind == EpilogueKind::relu_backward ? with(ReluBackwardEpilogue<Dtype>(p)) : store();
  } else {
    if (kind == EpilogueKind::adam) {
      with(AdamEpilogue<Dtype>(p, shared.adam));
    } else if (kind == EpilogueKind::weight_gradient) {
      with(WeightGradientEpilogue(p));
    } else {
      with(StoreEpilogue<float>(p));
    }
  }
}

}  // namespace breakeven::hopper
