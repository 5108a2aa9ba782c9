// SPDX-License-Identifier: Apache-2.0
// Split-k: divides k over several blocks, and adds their sums.
//
// If C has few tiles and k is long, several blocks compute a tile, each a part of k. Parts are added in
// order, so each run gets the same bits. From sm_90 on the blocks of a tile form a cluster and each finishes
// a share of the tile: all blocks send it their sums through distributed shared memory. Before sm_90 they
// store their sums in global memory, and the last block to arrive finishes the tile.
#pragma once

#include <cstdint>

#include "kernels/cuda/cluster_memory.cuh"
#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/gemm/tile_order.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/cuda/random_delay.cuh"

namespace breakeven {

// `count` blocks per tile, each with `depth` of k (the last may have less).
struct SplitK {
  int count;  // a power of two
  int count_log2;
  int depth;
  // Only before sm_90:
  float* sums;             // [tile][part][place of a quad], then [row] of the sums over k
  std::uint32_t* arrived;  // [tile]: blocks that are done; 0 between products
};

// The sums of a block in shared memory. Without split-k they overlay the tiles.
template <typename Math>
struct OwnSums {
  Quad quad[TileOrder<Math>::rounds * Math::threads];
  float row[Math::BM];
};

// What a block receives from its cluster: its share of the tile from every part, and the sums of A's rows.
template <typename Math>
struct SentSums {
  static constexpr int rounds = TileOrder<Math>::rounds;
  Quad quad[rounds > max_split_k ? rounds : max_split_k][Math::threads];  // [part][of the share]
  float row[max_split_k][Math::BM];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

// Arrivals and bytes in shared memory (PTX ISA, "mbarrier").
__device__ inline void start_counting(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n" ::"r"(barrier));
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(barrier), "r"(bytes));
}
__device__ inline void wait_for_bytes(std::uint32_t barrier) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again;\n}\n" ::"r"(barrier)
      : "memory");
}

template <typename Math>
class SplitTileSums {
  using Order = TileOrder<Math>;

 public:
  // Before the first step. `sums_rows`: the epilogue needs the sums of A's rows of this tile.
  __device__ SplitTileSums(const SplitK& split_k, int /*tile*/, int part, bool sums_rows, OwnSums<Math>& own,
                           SentSums<Math>& sent)
      : count_(split_k.count), log2_(split_k.count_log2), part_(part), own_(own), sent_(sent) {
    __shared__ std::uint64_t arrived;
    barrier_ = shared_address(&arrived);
    if (count_ == 1) return;
    if (threadIdx.x == 0) start_counting(barrier_, expected_bytes(sums_rows));
    asm volatile("barrier.cluster.arrive.relaxed;\n" ::: "memory");
  }

  // After the last step: sends this block's sums to where they are finished.
  __device__ void give(const Math& math, bool sums_row, float row_sum) {
    if (count_ == 1) {
#pragma unroll
      for (int q = 0; q < Math::quads; ++q) own_.quad[place_of_own(q)] = math.quad(q);
      if (sums_row) own_.row[threadIdx.x] = row_sum;
      return;
    }
    asm volatile("barrier.cluster.wait;\n" ::: "memory");  // all blocks are counting
    be_late_at_random();
#pragma unroll
    for (int q = 0; q < Math::quads; ++q) {
      const int place = place_of_own(q);
      const int round = place / Math::threads;
      const int block = round & (count_ - 1);
      Quad& to = place_in_share(part_, round, place % Math::threads);
      send(address_in_block(shared_address(&to), block), math.quad(q), address_in_block(barrier_, block));
    }
    if (sums_row) {
      send(address_in_block(shared_address(&sent_.row[part_][threadIdx.x]), 0), row_sum,
           address_in_block(barrier_, 0));
    }
  }

  // Waits for all parts of this block's share and for this block's threads: all bytes may have arrived before
  // the slowest thread does. Returns false if this block has nothing to finish.
  __device__ bool meet() {
    __syncthreads();
    if (count_ > 1) wait_for_bytes(barrier_);
    be_late_at_random();
    return true;
  }

  // The rounds of TileOrder that this block finishes.
  __device__ int first_round() const { return part_; }
  __device__ int round_stride() const { return count_; }
  __device__ bool finishes_rows() const { return part_ == 0; }

  // This thread's quad of a round.
  __device__ Quad quad(int round) const {
    if (count_ == 1) return own_.quad[Order::place_of(round)];
    Quad sum = place_in_share(0, round, static_cast<int>(threadIdx.x));
    for (int part = 1; part < count_; ++part) {
      const Quad& of_part = place_in_share(part, round, static_cast<int>(threadIdx.x));
#pragma unroll
      for (int i = 0; i < 4; ++i) sum.unit[i] += of_part.unit[i];
    }
    return sum;
  }
  __device__ float row(int r) const {
    if (count_ == 1) return own_.row[r];
    float sum = 0;
    for (int part = 0; part < count_; ++part) sum += sent_.row[part][r];
    return sum;
  }

 private:
  static __device__ int place_of_own(int q) { return Order::place_of(Math::row_of(q), Math::col_of(q)); }
  __device__ Quad& place_in_share(int part, int round, int thread) const {
    const int share = Order::rounds >> log2_ > 0 ? Order::rounds >> log2_ : 1;
    return sent_.quad[part * share + (round >> log2_)][thread];
  }
  __device__ int expected_bytes(bool sums_rows) const {
    const int share = (Order::rounds - part_ + count_ - 1) >> log2_;  // rounds part, part + count, ...
    const int rows = sums_rows && part_ == 0 ? Math::BM : 0;
    return count_ *
           (share * Math::threads * static_cast<int>(sizeof(Quad)) + rows * static_cast<int>(sizeof(float)));
  }

  int count_;
  int log2_;
  int part_;
  std::uint32_t barrier_;
  OwnSums<Math>& own_;
  SentSums<Math>& sent_;
};

#else

template <typename Math>
class SplitTileSums {
  using Order = TileOrder<Math>;

 public:
  __device__ SplitTileSums(const SplitK& split_k, int tile, int part, bool /*sums_rows*/, OwnSums<Math>& own,
                           SentSums<Math>& /*sent*/)
      : count_(split_k.count), part_(part), mine_(own) {
    of_tile_ = split_k.sums + std::int64_t{tile} * count_ * part_floats;
    arrived_ = split_k.arrived + tile;
  }

  __device__ void give(const Math& math, bool sums_row, float row_sum) {
#pragma unroll
    for (int q = 0; q < Math::quads; ++q) {
      mine_.quad[Order::place_of(Math::row_of(q), Math::col_of(q))] = math.quad(q);
    }
    if (sums_row) mine_.row[threadIdx.x] = row_sum;
  }

  __device__ bool meet() {
    __shared__ bool is_last;
    __syncthreads();
    if (count_ == 1) return true;
    float* place = of_tile_ + std::int64_t{part_} * part_floats;
    for (int round = 0; round < Order::rounds; ++round) {
      const int at = Order::place_of(round);
      reinterpret_cast<Quad*>(place)[at] = mine_.quad[at];
    }
    for (int r = static_cast<int>(threadIdx.x); r < Math::BM; r += Math::threads) {
      place[quad_floats + r] = mine_.row[r];
    }
    __threadfence();  // sums are visible before they are counted
    __syncthreads();
    if (threadIdx.x == 0) {
      const auto last = static_cast<std::uint32_t>(count_ - 1);
      is_last = atomicInc(arrived_, last) == last;  // wraps to 0
      __threadfence();                              // sums are read only after all were counted
    }
    __syncthreads();
    return is_last;
  }
  __device__ int first_round() const { return 0; }
  __device__ int round_stride() const { return 1; }
  __device__ bool finishes_rows() const { return true; }

  __device__ Quad quad(int round) const {
    if (count_ == 1) return mine_.quad[Order::place_of(round)];
    Quad sum{};
    for (int part = 0; part < count_; ++part) {
      const float4* place = reinterpret_cast<const float4*>(of_tile_ + std::int64_t{part} * part_floats);
      const float4 of_part = __ldcg(place + Order::place_of(round));
      sum.unit[0] += of_part.x;
      sum.unit[1] += of_part.y;
      sum.unit[2] += of_part.z;
      sum.unit[3] += of_part.w;
    }
    return sum;
  }
  __device__ float row(int r) const {
    if (count_ == 1) return mine_.row[r];
    float sum = 0;
    for (int part = 0; part < count_; ++part) {
      sum += __ldcg(of_tile_ + std::int64_t{part} * part_floats + quad_floats + r);
    }
    return sum;
  }

 private:
  static constexpr int quad_floats = 4 * Order::rounds * Math::threads;
  static constexpr int part_floats = quad_floats + Math::BM;
  int count_;
  int part_;
  OwnSums<Math>& mine_;
  float* of_tile_;
  std::uint32_t* arrived_;
};

#endif

}  // namespace breakeven
