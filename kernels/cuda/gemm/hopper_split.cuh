// SPDX-License-Identifier: Apache-2.0
// The Hopper kernel with split-k, for a C with too few tiles: a cluster computes a tile, each block a part of
// k. Each block finishes some rows of the tile; all blocks send it their sums of these rows through
// distributed shared memory. Sums are added in the order of the parts, so each run gets the same bits.
#pragma once

#include "kernels/cuda/gemm/hopper_pipeline.cuh"
#include "kernels/cuda/gemm/hopper_transposed.cuh"
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
  template <bool of_fragments>
  __device__ void send(const float (&sums)[Tile::BN / 2], int group) {
    const int lane = threadIdx.x % 32;
    const int slab = group * 4 + threadIdx.x % Tile::group_threads / 32;
    const bool lower = lane % 2 != 0;
    const int row = place_in_slab<of_fragments>(lane / 4 + lower * 8);
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

  // Of the rows that this block finishes, which lie slab after slab; row_of() is their row in the tile.
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
  // Of four rows of one column.
  __device__ Quad sum_down(int row, int col) const {
    Quad sum{};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = slab_place((row + i) % 16, col / 4);
      for (int part = 0; part < split_k_.count; ++part)
        sum.unit[i] += place(part, row / 16)[at].unit[col % 4];
    }
    return sum;
  }
  template <bool of_fragments>
  __device__ int row_of(int row) const {
    const int slab = part() * slabs() + row / 16;
    return slab / 4 * Tile::block_rows + row_of_place<of_fragments>(slab % 4, row % 16);
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
template <typename Form, typename Tile, typename Epilogue>
__device__ void finish_share(const GemmProblem& p, int row, int col, SplitBlock<Tile>& block,
                             Epilogue& epilogue) {
  constexpr int threads = 2 * Tile::group_threads, together = 4;
  const int thread = static_cast<int>(threadIdx.x) - Tile::group_threads;
  const int rows = block.slabs() * 16;
  const int count = rows * (Tile::BN / 4);  // of the block's quads
  // Where the sums of a quad are, and its place in C. A quad of a transposed product is four rows of sums.
  const auto sums_of = [&](int quad) {
    return Form::transposed ? int2{quad % (rows / 4) * 4, quad / (rows / 4)}
                            : int2{quad / (Tile::BN / 4), quad % (Tile::BN / 4) * 4};
  };
  const auto place_of = [&](int quad) {
    const int2 at = sums_of(quad);
    const int tile_row = row + block.template row_of<Form::a_in_registers>(at.x), tile_col = col + at.y;
    return Form::transposed ? int2{tile_col, tile_row} : int2{tile_row, tile_col};
  };
  const auto inside = [&](int quad, int2 at) { return quad < count && at.x < p.m && at.y < p.n; };
  bool waits = true;
  for (int first = thread; first < count; first += together * threads) {
    typename Epilogue::Operands operands[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int2 at = place_of(first + i * threads);
      if (inside(first + i * threads, at)) operands[i] = epilogue.load(at.x, at.y);
    }
    if (waits) block.receive();
    waits = false;
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int quad = first + i * threads;
      const int2 at = place_of(quad), of = sums_of(quad);
      if (!inside(quad, at)) continue;
      const Quad sum = Form::transposed ? block.sum_down(of.x, of.y) : block.sum(of.x, of.y / 4);
      epilogue.finish(at.x, at.y, sum, operands[i]);
    }
  }
  if constexpr (requires { epilogue.finish_row(0, 0.0f); }) {
    const int first_row = row + block.first_row();
    if (col == 0 && p.sums_rows && thread < rows && first_row + thread < p.m) {
      epilogue.finish_row(first_row + thread, block.row_sum(thread));
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
    RowSums<Dtype, Tile, SendRows<Tile, Epilogue>> row_sums(at.y == 0 && p.sums_rows);
    RingPlace<Tile::stages> place;
    float sums[Tile::row_blocks][Tile::BN / 2];
    const int last =
        multiply_steps<Dtype, layout, Tile>(work, first_row * Tile::row_bytes, shared, place, row_sums, sums);
    wait_for_products<0>();
    keep_after_wait(sums);
    release(last, work, shared);
    row_sums.finish(row + first_row, p.m, group, shared.scratch[group], send_rows);
    be_late_at_random();
    using Of = Form<layout, Tile>;
    block.template send<Of::a_in_registers>(sums[0], group);
    finish_share<Of>(p, row, col, block, epilogue);
  });
}

// The number of this block's rows whose sums are needed.
template <GemmLayout layout, typename Tile>
__device__ int summed_rows(const GemmProblem& p, const Work& work, const SplitBlock<Tile>& block) {
  const EpilogueKind kind = p.epilogue.kind;
  const int2 at = work.order.at(work.first);
  if (layout != GemmLayout::tn || kind == EpilogueKind::store || at.y != 0 || !p.sums_rows) return 0;
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
