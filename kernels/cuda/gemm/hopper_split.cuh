// SPDX-License-Identifier: Apache-2.0
// The Hopper kernel with split-k, for a C with too few tiles: a cluster computes a tile, each block a part of
// k. Each block finishes some rows of the tile; all blocks send it their sums of these rows through
// distributed shared memory. Sums are added in the order of the parts, so each run gets the same bits.
#pragma once

#include "kernels/cuda/gemm/hopper_pipeline.cuh"
#include "kernels/cuda/random_delay.cuh"

namespace breakeven::hopper {

// Split-k: `count` parts (a power of two, at most 8) of `steps` steps; the last part may have fewer.
struct HopperSplitK {
  int count, count_log2;
  int steps;
};

// `sharing` blocks of neighbouring tiles in a column share tiles of B; each of these tiles has all parts.
template <int value_bytes, int BN, int stages, int sharing>
struct SplitTile : Tile<value_bytes, 128, BN, stages, sharing, false> {
  static constexpr int scratch_floats = 4 * 64;  // quarters of the sums of A's rows
  static constexpr int slabs = 8;                // of 16 rows, as a warp multiplies them
  static constexpr int slab_quads = 16 * BN / 4;
  static constexpr int max_split_k = slabs;
};

template <typename Tile>
struct SplitShared {
  Shared<Tile> product;
  Quad sums[Tile::slabs * Tile::slab_quads];  // [part][slab of this block]
  float row_sums[Tile::slabs * 16];           // [part][row of this block]
  std::uint64_t received;                     // counts the bytes received
};

// A block's place among the blocks of its tile.
template <typename Tile>
class SplitBlock {
 public:
  __device__ SplitBlock(const HopperSplitK& split_k, SplitShared<Tile>& shared)
      : split_k_(split_k), rank_(static_cast<int>(block_in_cluster())), shared_(shared) {}

  __device__ int part() const { return rank_ / Tile::cluster; }
  __device__ int sharing_rank() const { return rank_ % Tile::cluster; }
  __device__ int slabs() const { return Tile::slabs >> split_k_.count_log2; }  // that this block finishes
  __device__ int first_row() const { return part() * slabs() * 16; }

  // Before the barrier of the cluster. Every part also sends the sums of `summed_rows` rows.
  __device__ void prepare(int summed_rows) {
    init_barrier(shared_.received, 1);
    arrive_and_expect(shared_.received, static_cast<int>(sizeof shared_.sums) +
                                            split_k_.count * summed_rows * static_cast<int>(sizeof(float)));
  }

  // This warp's slab of the block's sums.
  __device__ void send(const float (&sums)[Tile::BN / 2], int group) {
    const int lane = threadIdx.x % 32;
    const int slab = group * 4 + threadIdx.x % Tile::group_threads / 32;
    const bool lower = lane % 2 != 0;
    const int row = lane / 4 + lower * 8;
    const int block = owner(slab);
    const std::uint32_t barrier = address_in(shared_.received, block);
    const std::uint32_t to = address_in(*place(part(), slab % slabs()), block);
#pragma unroll
    for (int eight = 0; eight < Tile::BN / 8; ++eight) {
      const Quad quad = quad_of_pairs(sums + 4 * eight, lower);
      const int at = slab_place(row, 2 * eight + lane % 4 / 2);
      breakeven::send(to + at * static_cast<int>(sizeof(Quad)), quad, barrier);
    }
  }
  // A row of the tile whose sum this block has.
  __device__ void send_row(int row, float sum) {
    const int block = owner(row / 16);
    float& to = shared_.row_sums[part() * slabs() * 16 + row % (slabs() * 16)];
    breakeven::send(address_in(to, block), sum, address_in(shared_.received, block));
  }

  __device__ void receive() {
    wait(shared_.received, 0);
    be_late_at_random();
  }

  // Of the rows that this block finishes.
  __device__ Quad sum(int row, int quad) const {
    const int at = slab_place(row % 16, quad);
    Quad sum = place(0, row / 16)[at];
    for (int part = 1; part < split_k_.count; ++part) {
      const Quad of_part = place(part, row / 16)[at];
#pragma unroll
      for (int i = 0; i < 4; ++i) sum.unit[i] += of_part.unit[i];
    }
    return sum;
  }
  __device__ float row_sum(int row) const {
    float sum = 0;
    for (int part = 0; part < split_k_.count; ++part) sum += shared_.row_sums[part * slabs() * 16 + row];
    return sum;
  }

 private:
  __device__ Quad* place(int part, int slab) const {
    return shared_.sums + (part * slabs() + slab) * Tile::slab_quads;
  }
  // The block of the cluster that finishes a slab of the tile.
  __device__ int owner(int slab) const { return slab / slabs() * Tile::cluster + sharing_rank(); }

  const HopperSplitK& split_k_;
  const int rank_;
  SplitShared<Tile>& shared_;
};

// Sends sums of rows to the block that finishes them, if the epilogue needs them.
template <typename Tile, typename Epilogue>
struct SendRows {
  SplitBlock<Tile>& block;
  int tile_row;

  __device__ void finish_row(int row, float sum) requires requires(Epilogue epilogue) {
    epilogue.finish_row(0, 0.0f);
  }
  { block.send_row(row - tile_row, sum); }
};

// Finishes this block's rows of the tile at (row, col) of C. Other inputs are loaded while the sums are on
// their way.
template <typename Tile, typename Epilogue>
__device__ void finish_share(const GemmProblem& p, int row, int col, SplitBlock<Tile>& block,
                             Epilogue& epilogue) {
  constexpr int threads = 2 * Tile::group_threads, quads_across = Tile::BN / 4, together = 4;
  const int thread = static_cast<int>(threadIdx.x) - Tile::group_threads;
  const int quad = thread % quads_across;
  const int rows = block.slabs() * 16;
  constexpr int rows_at_once = threads / quads_across;
  row += block.first_row();
  col += quad * 4;
  bool waits = true;
  for (int first = thread / quads_across; first < rows; first += together * rows_at_once) {
    typename Epilogue::Operands operands[together];
    const auto inside = [&](int r) { return r < rows && row + r < p.m && col < p.n; };
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int r = first + i * rows_at_once;
      if (inside(r)) operands[i] = epilogue.load(row + r, col);
    }
    if (waits) block.receive();
    waits = false;
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int r = first + i * rows_at_once;
      if (inside(r)) epilogue.finish(row + r, col, block.sum(r, quad), operands[i]);
    }
  }
  if constexpr (requires { epilogue.finish_row(0, 0.0f); }) {
    const bool sums_rows = col == quad * 4;  // the first column of tiles
    if (sums_rows && thread < rows && row + thread < p.m) {
      epilogue.finish_row(row + thread, block.row_sum(thread));
    }
  }
}

// A consumer warp group: multiplies its half of the tile, sends its sums, and finishes its part of the
// block's rows.
template <typename Dtype, GemmLayout layout, typename Tile>
__device__ void multiply_and_share(const GemmProblem& p, const Work& work, int group, SplitBlock<Tile>& block,
                                   Shared<Tile>& shared) {
  with_epilogue<Dtype, layout, Tile>(p, shared, [&](auto& epilogue) {
    using Epilogue = std::remove_reference_t<decltype(epilogue)>;
    const int2 at = work.order.at(work.first);
    const int row = (at.x * Tile::cluster + work.rank) * Tile::BM, col = at.y * Tile::BN;
    const int first_row = first_row_of<Tile>(group);
    SendRows<Tile, Epilogue> send_rows{block, row};
    RowSums<Dtype, Tile, SendRows<Tile, Epilogue>> row_sums(at.y == 0);
    RingPlace<Tile::stages> place;
    float sums[Tile::row_blocks][Tile::BN / 2];
    const int last =
        multiply_steps<Dtype, layout, Tile>(work, first_row * Tile::row_bytes, shared, place, row_sums, sums);
    wait_for_products<0>();
    keep_after_wait(sums);
    release(last, work, shared);
    row_sums.finish(row + first_row, p.m, group, shared.scratch[group], send_rows);
    be_late_at_random();
    block.send(sums[0], group);
    finish_share<Tile>(p, row, col, block, epilogue);
  });
}

// The number of this block's rows whose sums are needed.
template <GemmLayout layout, typename Tile>
__device__ int summed_rows(const GemmProblem& p, const Work& work, const SplitBlock<Tile>& block) {
  const EpilogueKind kind = p.epilogue.kind;
  const int2 at = work.order.at(work.first);
  if (layout != GemmLayout::tn || kind == EpilogueKind::store || at.y != 0) return 0;
  const int first = (at.x * Tile::cluster + work.rank) * Tile::BM + block.first_row();
  return max(0, min(block.slabs() * 16, p.m - first));
}

template <typename Dtype, GemmLayout layout, typename Tile>
__global__ __launch_bounds__(Tile::threads,
                             1) void gemm_hopper_split_kernel(const __grid_constant__ CUtensorMap a,
                                                              const __grid_constant__ CUtensorMap b,
                                                              const __grid_constant__ GemmProblem p,
                                                              TileOrder order, HopperSplitK split_k) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)  // as in gemm_hopper_kernel
  extern __shared__ __align__(1024) unsigned char dynamic[];
  auto& shared = *reinterpret_cast<SplitShared<Tile>*>(dynamic);
  SplitBlock<Tile> block(split_k, shared);
  const int group = __shfl_sync(~0u, threadIdx.x / Tile::group_threads, 0);
  const int first_step = block.part() * split_k.steps;
  const int steps = min(split_k.steps, all_steps<Tile>(p) - first_step);
  const int tile = static_cast<int>(blockIdx.x) / (Tile::cluster * split_k.count);
  const Work work{order, first_step,   steps, block.part() * Tile::cluster, block.sharing_rank(),
                  tile,  order.count()};
  if (threadIdx.x == 0) {
    prefetch_map(a);
    prefetch_map(b);
    block.prepare(summed_rows<layout>(p, work, block));
    prepare(shared.product);
  }
  arrive_at_cluster();
  start_after_predecessor();
  if (layout == GemmLayout::tn && p.epilogue.kind == EpilogueKind::adam && threadIdx.x == 32) {
    shared.product.adam = adam_factors(p.epilogue.adam, *p.epilogue.state);
  }
  wait_for_cluster();
  if (group == 0) {
    keep_registers<40>();
    if (threadIdx.x == 0) fetch<layout, Tile>(a, b, work, shared.product);
  } else {
    take_registers<232>();
    multiply_and_share<Dtype, layout, Tile>(p, work, group - 1, block, shared.product);
  }
#else
  __trap();
#endif
}

}  // namespace breakeven::hopper
