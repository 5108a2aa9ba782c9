// SPDX-License-Identifier: Apache-2.0
// The kernel of warp-tiled and tensor-core. A block walks along its part of k while the next tiles are being
// copied. Then the sums of all parts of k are added, and the epilogue runs quad by quad.
#pragma once

#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/gemm/epilogue.cuh"
#include "kernels/cuda/gemm/split_k.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/random_delay.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

// Independent products in one launch. The blocks of product i begin at first_block[i].
template <int capacity>
struct GemmGroup {
  GemmProblem problem[capacity];
  SplitK split_k[capacity];
  int tiles_m[capacity];
  int first_block[capacity + 1];
  int count;
};

// A block's loop along its part of k.
template <typename Math, GemmLayout layout, int stages>
class AsyncWalk {
 public:
  using T = typename Math::Dtype;
  static constexpr bool a_along_k = layout != GemmLayout::tn;
  static constexpr bool b_along_k = layout == GemmLayout::nt;
  using TileA =
      AsyncTile<T, Math::BM, a_along_k, Math::threads, typename Math::template Swizzle<a_along_k, Math::BM>>;
  using TileB =
      AsyncTile<T, Math::BN, b_along_k, Math::threads, typename Math::template Swizzle<b_along_k, Math::BN>>;
  static constexpr int stage_bytes = TileA::bytes + TileB::bytes;
  static constexpr int tiles_bytes = stages * stage_bytes;
  static_assert(tiles_bytes >= static_cast<int>(sizeof(OwnSums<Math>)), "sums take the place of the tiles");
  // Sums from other blocks of the cluster may arrive while tiles are still being read.
  static constexpr int shared_bytes(bool sends) {
    return tiles_bytes + (sends ? static_cast<int>(sizeof(SentSums<Math>)) : 0);
  }

  // Multiplies over [first_k, first_k + depth) of k.
  __device__ AsyncWalk(const GemmProblem& p, int first_m, int first_n, int first_k, int depth, char* shared)
      : a_(p.a, p.lda, first_m, p.m, first_k, p.copies_of_16_bytes),
        b_(p.b, p.ldb, first_n, p.n, first_k, p.copies_of_16_bytes),
        shared_(shared),
        place_(shared_address(shared)),
        depth_(depth),
        tiles_((depth + BK<T> - 1) / BK<T>),
        whole_(a_.is_whole() && b_.is_whole() && depth % BK<T> == 0) {}

  // Starts copying B's tiles of the first stages.
  __device__ void fetch_first_of_b() {
#pragma unroll 1
    for (int tile = 0; tile < min(stages - 1, tiles_); ++tile) {
      const std::uint32_t to = place_ + tile * stage_bytes + TileA::bytes;
      whole_ ? b_.fetch_whole(to) : b_.fetch(to, depth_ - tile * BK<T>);
    }
  }

  // Adds A B; with `sums_row` also the sum over k of each row of A, one thread per row.
  __device__ void run(bool sums_row, Math& math, float& row_sum) {
    whole_ ? add_tiles<true>(sums_row, math, row_sum) : add_tiles<false>(sums_row, math, row_sum);
    wait_for_all_but<0>();
    __syncthreads();  // the tiles' memory is free
  }

 private:
  template <bool whole, typename Tile>
  static __device__ void fetch(Tile& tile, std::uint32_t to, int depth) {
    if constexpr (whole) {
      tile.fetch_whole(to);
    } else {
      tile.fetch(to, depth);
    }
  }

  template <bool whole>
  __device__ void add_tiles(bool sums_row, Math& math, float& row_sum) {
#pragma unroll
    for (int tile = 0; tile < stages - 1; ++tile) {
      if (tile < tiles_) fetch<whole>(a_, place_ + tile * stage_bytes, depth_ - tile * BK<T>);
      commit_copies();  // also if empty: the number of groups tells which tile has arrived
    }
    int from = 0;                         // the stage that is multiplied,
    int to = (stages - 1) * stage_bytes;  // and the one that is being fetched
    int left = depth_;                    // of k, this tile included
    constexpr int ahead = (stages - 1) * BK<T>;
#pragma unroll 1
    for (; left > 0; left -= BK<T>) {
      wait_for_all_but<stages - 2>();
      __syncthreads();     // this tile has arrived for all threads, and nobody reads the previous one,
      if (left > ahead) {  // whose stage is filled next
        fetch<whole>(a_, place_ + to, left - ahead);
        fetch<whole>(b_, place_ + to + TileA::bytes, left - ahead);
      }
      commit_copies();
      const std::uint32_t stage = place_ + from;
      math.template multiply<layout>(stage, stage + TileA::bytes, whole ? BK<T> : left);
      if constexpr (layout == GemmLayout::tn) {
        if (sums_row) row_sum += Math::sum_over_k(shared_ + from, static_cast<int>(threadIdx.x), left);
      }
      to = from;
      from = from + stage_bytes == tiles_bytes ? 0 : from + stage_bytes;
    }
  }

  TileA a_;
  TileB b_;
  char* shared_;
  std::uint32_t place_;
  int depth_;
  int tiles_;
  bool whole_;
};

// Runs the epilogue of this block's rounds of quads, with the loads of several rounds in flight. A `whole`
// tile lies within C and all its quads are aligned.
template <bool whole, typename Math, typename Epilogue>
__device__ void finish_rounds(const GemmProblem& p, int first_m, int first_n,
                              const SplitTileSums<Math>& split_k, Epilogue& epilogue) {
  using Order = TileOrder<Math>;
  constexpr int together = Epilogue::together;
  const int stride = split_k.round_stride();
#pragma unroll 1
  for (int first = split_k.first_round(); first < Order::rounds; first += together * stride) {
    typename Epilogue::Operands operands[together];
    bool inside[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int round = first + i * stride;
      const int row = first_m + Order::row_of(round);
      const int col = first_n + Order::col_of(round);
      inside[i] = round < Order::rounds && (whole || (row < p.m && col < p.n));
      if (inside[i]) operands[i] = epilogue.template load<whole>(row, col);
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int round = first + i * stride;
      if (inside[i]) {
        epilogue.template finish<whole>(first_m + Order::row_of(round), first_n + Order::col_of(round),
                                        split_k.quad(round), operands[i]);
      }
    }
  }
}

template <typename Math, typename Epilogue>
__device__ void finish_quads(const GemmProblem& p, int first_m, int first_n,
                             const SplitTileSums<Math>& split_k, Epilogue& epilogue) {
  const bool whole = first_m + Math::BM <= p.m && first_n + Math::BN <= p.n && p.epilogue.vectorised;
  whole ? finish_rounds<true>(p, first_m, first_n, split_k, epilogue)
        : finish_rounds<false>(p, first_m, first_n, split_k, epilogue);
}

template <typename Math, typename Epilogue>
__device__ void finish_rows(const GemmProblem& p, int first_m, const SplitTileSums<Math>& split_k,
                            Epilogue& epilogue) {
  const int row = static_cast<int>(threadIdx.x);
  if (split_k.finishes_rows() && row < Math::BM && first_m + row < p.m) {
    epilogue.finish_row(first_m + row, split_k.row(row));
  }
}

// Sums the loss over all blocks in the order of their indices. `finishes`: this block contributes.
template <typename Math>
__device__ void add_to_loss(const EpilogueArguments& e, double squares) {
  double total = 0;
  const ReductionScratch scratch{e.loss_sums.arrived, e.loss_sums.parts, 0};
  if (grid_sum<Math::threads / 32>(squares, scratch, &total)) {
    e.losses[e.state->step % e.loss_slots] = static_cast<float>(total * e.loss_scale);
  }
}

template <typename Math>
__device__ void finish_forward(const GemmProblem& p, int first_m, int first_n, SplitTileSums<Math>& split_k) {
  using T = typename Math::Dtype;
  const bool finishes = split_k.meet();
  const auto finish = [&](auto epilogue) {
    if (finishes) finish_quads(p, first_m, first_n, split_k, epilogue);
    return epilogue;
  };
  const bool wide = p.c_dtype == Dtype::fp32;
  switch (p.epilogue.kind) {
    case EpilogueKind::store:
      wide ? (void)finish(StoreEpilogue<float>(p)) : (void)finish(StoreEpilogue<T>(p));
      break;
    case EpilogueKind::add_bias:
      wide ? (void)finish(AddBiasEpilogue<float>(p)) : (void)finish(AddBiasEpilogue<T>(p));
      break;
    case EpilogueKind::bias_relu_dropout:
      finish(BiasReluDropoutEpilogue<T>(p));
      break;
    case EpilogueKind::squared_error:
      add_to_loss<Math>(p.epilogue, finish(SquaredErrorEpilogue<T>(p)).squares);
      break;
    default:
      break;
  }
}

template <typename Math>
__device__ void finish_data_gradient(const GemmProblem& p, int first_m, int first_n,
                                     SplitTileSums<Math>& split_k) {
  using T = typename Math::Dtype;
  const bool finishes = split_k.meet();
  const auto finish = [&](auto epilogue) {
    if (finishes) finish_quads(p, first_m, first_n, split_k, epilogue);
  };
  if (p.epilogue.kind == EpilogueKind::relu_backward) {
    finish(ReluBackwardEpilogue<T>(p));
  } else if (p.c_dtype == Dtype::fp32) {
    finish(StoreEpilogue<float>(p));
  } else {
    finish(StoreEpilogue<T>(p));
  }
}

template <typename Math>
__device__ void finish_weight_gradient(const GemmProblem& p, int first_m, int first_n,
                                       SplitTileSums<Math>& split_k) {
  __shared__ AdamFactors factors;
  if (p.epilogue.kind == EpilogueKind::adam && threadIdx.x == 0) {
    be_late_at_random();
    factors = adam_factors(p.epilogue.adam, *p.epilogue.state);
  }
  const bool finishes = split_k.meet();
  const auto finish = [&](auto epilogue) {
    if (!finishes) return;
    finish_quads(p, first_m, first_n, split_k, epilogue);
    if (first_n == 0) finish_rows(p, first_m, split_k, epilogue);
  };
  if (p.epilogue.kind == EpilogueKind::adam) {
    finish(AdamEpilogue<typename Math::Dtype>(p, factors));
  } else if (p.epilogue.kind == EpilogueKind::weight_gradient) {
    finish(WeightGradientEpilogue(p));
  } else if (finishes) {
    StoreEpilogue<float> epilogue(p);
    finish_quads(p, first_m, first_n, split_k, epilogue);
  }
}

// One block per part of k of each tile of C. Neighbouring blocks take tiles of the same column of C, which
// share tiles of B in cache.
template <typename Math, GemmLayout layout, int stages, int capacity>
__global__ __launch_bounds__(Math::threads, Math::blocks_per_multiprocessor) void gemm_async_kernel(
    const __grid_constant__ GemmGroup<capacity> group) {
  extern __shared__ __align__(256) char shared[];
  using Walk = AsyncWalk<Math, layout, stages>;
  int index = 0;
  if constexpr (capacity > 1) {
    while (index + 1 < group.count && static_cast<int>(blockIdx.x) >= group.first_block[index + 1]) ++index;
  }
  const GemmProblem& p = group.problem[index];
  const SplitK& cut = group.split_k[index];
  const unsigned block = blockIdx.x - static_cast<unsigned>(group.first_block[index]);
  const unsigned tile = block >> cut.count_log2;
  const int part = static_cast<int>(block) & (cut.count - 1);
  const unsigned tile_n = tile / static_cast<unsigned>(group.tiles_m[index]);
  const int first_m = static_cast<int>(tile - tile_n * group.tiles_m[index]) * Math::BM;
  const int first_n = static_cast<int>(tile_n) * Math::BN;
  const int first_k = part * cut.depth;
  const bool sums_rows = layout == GemmLayout::tn && first_n == 0;
  const bool sums_row = sums_rows && threadIdx.x < Math::BM;
  SplitTileSums<Math> split_k(cut, static_cast<int>(tile), part, sums_rows,
                              *reinterpret_cast<OwnSums<Math>*>(shared),
                              *reinterpret_cast<SentSums<Math>*>(shared + Walk::tiles_bytes));
  Walk walk(p, first_m, first_n, first_k, min(cut.depth, p.k - first_k), shared);
  if (p.b_is_early) walk.fetch_first_of_b();
  start_after_predecessor();
  if (!p.b_is_early) walk.fetch_first_of_b();
  Math math;
  float row_sum = 0;
  walk.run(sums_row, math, row_sum);
  split_k.give(math, sums_row, row_sum);
  if constexpr (layout == GemmLayout::nt) finish_forward<Math>(p, first_m, first_n, split_k);
  if constexpr (layout == GemmLayout::nn) finish_data_gradient<Math>(p, first_m, first_n, split_k);
  if constexpr (layout == GemmLayout::tn) finish_weight_gradient<Math>(p, first_m, first_n, split_k);
}

}  // namespace breakeven
