// SPDX-License-Identifier: Apache-2.0
// A weight gradient with Adam's update by separate warps. An update moves 26 bytes per parameter; tensor
// cores and memory should work at the same time. So consumer warp groups pass on the sums of a tile and
// continue. Update warps, in the producer's warp group, update the tile's parameters meanwhile, which TMA
// copies in chunks.
#pragma once

#include "kernels/cuda/gemm/hopper_update_tile.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/random_delay.cuh"

namespace breakeven::hopper {

// An update warp. It prefetches its own chunks, across tiles.
template <typename Working, typename Tile>
class Updater {
 public:
  __device__ Updater(const GemmProblem& p, const StateMaps& maps, const Work& work, const Quad* sums,
                     UpdateShared<Tile>& shared)
      : p_(p),
        maps_(maps),
        work_(work),
        sums_(sums),
        shared_(shared),
        factors_(shared.product.adam),
        scale_(inverse_loss_scale(*p.epilogue.state)),
        skipped_(p.epilogue.state->overflow != 0),
        fetched_tile_(work.first),
        fetched_chunk_(warp()),
        fetched_origin_(origin(work.first)) {}

  __device__ void run() {
    for (int i = 0; i < Tile::slots; ++i) fetch();
    std::uint32_t parity = 0;
    int chunk = warp();
    for (int tile = work_.first; tile < work_.order.count(); tile += work_.stride) {
      for (int half = 0; half < 2; ++half) {
        wait(shared_.handed_over[half], parity);
        be_late_at_random();
        chunk = update_half(origin(tile), chunk, (half + 1) * (Tile::chunks / 2));
        arrive(shared_.taken[half]);
      }
      chunk -= Tile::chunks;
      parity ^= 1;
    }
  }

 private:
  struct Gradient {
    Quad row[Tile::chunk_rows];
  };

  static __device__ int lane() { return threadIdx.x % 32; }
  static __device__ int warp() {
    const int in_block = threadIdx.x / 32;
    return in_block < 4 ? in_block - 1 : in_block - 9;
  }
  // Of a chunk in its tile.
  static __device__ int first_row(int chunk) { return chunk / Tile::chunks_across * Tile::chunk_rows; }
  static __device__ int first_col(int chunk) { return chunk % Tile::chunks_across * Tile::chunk_cols; }

  // The row and column of C where the block's part of a tile begins.
  __device__ int2 origin(int tile) const {
    const int2 at = work_.order.at(tile);
    return {(at.x * Tile::cluster + work_.rank) * Tile::BM, at.y * Tile::BN};
  }

  __device__ void fetch() {
    if (fetched_tile_ >= work_.order.count()) return;
    if (lane() == 0) {
      const int row = fetched_origin_.x + first_row(fetched_chunk_);
      const int col = fetched_origin_.y + first_col(fetched_chunk_);
      Chunk<Tile>& chunk = shared_.chunks[warp()][fetched_.stage];
      std::uint64_t& arrived = shared_.arrived[warp()][fetched_.stage];
      fence_before_copies();  // of what the warp has read here
      arrive_and_expect(arrived, Chunk<Tile>::bytes);
      load_box_once(maps_.parameter, col, row, chunk.parameter, arrived);
      load_box_once(maps_.first_moment, col, row, chunk.first_moment, arrived);
      load_box_once(maps_.second_moment, col, row, chunk.second_moment, arrived);
    }
    fetched_.advance();
    fetched_chunk_ += Tile::updating_warps;
    if (fetched_chunk_ >= Tile::chunks) {
      fetched_chunk_ -= Tile::chunks;
      fetched_tile_ += work_.stride;
      fetched_origin_ = origin(fetched_tile_);
    }
  }

  __device__ Gradient load(int chunk) const {
    const int row = first_row(chunk), quad = first_col(chunk) / 4 + lane();
    Gradient gradient;
#pragma unroll
    for (int i = 0; i < Tile::chunk_rows; ++i) {
      const int at = handed_quad<Tile>(row + i, quad);
      if constexpr (Tile::sums_in_shared) {
        gradient.row[i] = shared_.sums[at];
      } else {
        const float4 four = __ldcg(reinterpret_cast<const float4*>(sums_ + at));
        gradient.row[i] = {four.x, four.y, four.z, four.w};
      }
    }
    return gradient;
  }

  // Updates this warp's chunks in [chunk, end) of half a tile: the warps take all chunks of all tiles in
  // turn. Returns its next chunk. A chunk's gradient is loaded while the previous chunk is updated.
  __device__ int update_half(int2 at, int chunk, int end) {
    if (chunk >= end) return chunk;
    Gradient gradient = load(chunk);
#pragma unroll 1
    for (; chunk < end; chunk += Tile::updating_warps) {
      const Gradient next = load(min(chunk + Tile::updating_warps, end - 1));
      update(at.x + first_row(chunk), at.y + first_col(chunk) + lane() * 4, gradient);
      gradient = next;
    }
    return chunk;
  }

  // The chunk whose first row this is, of which this lane has the quads at `col`.
  __device__ void update(int row, int col, const Gradient& gradient) {
    const Chunk<Tile>& chunk = shared_.chunks[warp()][place_.stage];
    wait(shared_.arrived[warp()][place_.stage], place_.parity);
    be_late_at_random();
    if (row + Tile::chunk_rows <= p_.m && col - lane() * 4 + Tile::chunk_cols <= p_.n) {
      update_rows<true>(row, col, gradient, chunk);
    } else {
      update_rows<false>(row, col, gradient, chunk);
    }
    __syncwarp();  // all lanes have read the chunk: its slot is filled next
    place_.advance();
    fetch();
  }

  template <bool whole>
  __device__ void update_rows(int row, int col, const Gradient& gradient, const Chunk<Tile>& chunk) const {
    const AdamArrays& w = p_.epilogue.weight;
#pragma unroll
    for (int i = 0; i < Tile::chunk_rows; ++i) {
      if (!whole && (row + i >= p_.m || col >= p_.n)) continue;
      const std::int64_t at = (row + i) * p_.ldc + col;
      Quad mine = gradient.row[i];
#pragma unroll
      for (int j = 0; j < 4; ++j) mine.unit[j] *= scale_;
      if (p_.epilogue.bias_gradient != nullptr) {  // gradients are kept
        store_part<whole>(p_, static_cast<float*>(p_.c) + at, col, mine);
      }
      if (skipped_) continue;
      Quad parameter = chunk.parameter[i][lane()];
      Quad first_moment = chunk.first_moment[i][lane()];
      Quad second_moment = chunk.second_moment[i][lane()];
      adam_update(factors_, mine, parameter, first_moment, second_moment);
      store_once<whole>(w.parameter + at, col, parameter);
      store_once<whole>(w.first_moment + at, col, first_moment);
      store_once<whole>(w.second_moment + at, col, second_moment);
      store_part<whole>(p_, static_cast<Working*>(p_.epilogue.working_weight) + at, col, parameter);
    }
  }

  // For data that nobody reads soon: L2 evicts it first.
  template <bool whole>
  __device__ void store_once(float* to, int col, const Quad& quad) const {
    if constexpr (whole) {
      __stcs(reinterpret_cast<float4*>(to), {quad.unit[0], quad.unit[1], quad.unit[2], quad.unit[3]});
    } else {
      store_part<false>(p_, to, col, quad);
    }
  }

  const GemmProblem& p_;
  const StateMaps& maps_;
  const Work& work_;
  const Quad* const sums_;
  UpdateShared<Tile>& shared_;
  const AdamFactors factors_;
  const float scale_;
  const bool skipped_;
  RingPlace<Tile::slots> place_, fetched_;
  int fetched_tile_, fetched_chunk_;
  int2 fetched_origin_;
};

template <typename Dtype, typename Tile>
__device__ void multiply_and_hand_over(const GemmProblem& p, const Work& work, int group, Quad* sums_of_block,
                                       UpdateShared<Tile>& shared) {
  AdamEpilogue<Dtype> epilogue(p, shared.product.adam);  // of the bias
  Quad* const to = Tile::sums_in_shared ? shared.sums : sums_of_block;
  std::uint32_t parity = 1;  // the buffer is free at first
  multiply_tiles<Dtype, GemmLayout::tn, Tile>(p, work, group, shared.product, epilogue,
                                              [&](const auto& sums, int, int) {
                                                wait(shared.taken[group], parity);
                                                be_late_at_random();
                                                hand_over<Tile>(sums[0], group * Tile::block_rows, to);
                                                arrive(shared.handed_over[group]);
                                                parity ^= 1;
                                              });
}

// `sums`: room for a tile of every block of the grid, unless tiles are passed in shared memory.
template <typename Dtype, typename Tile>
__global__ __launch_bounds__(Tile::threads,
                             1) void gemm_hopper_update_kernel(const __grid_constant__ CUtensorMap a,
                                                               const __grid_constant__ CUtensorMap b,
                                                               const __grid_constant__ StateMaps maps,
                                                               const __grid_constant__ GemmProblem p,
                                                               TileOrder order, float* sums) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)  // as in gemm_hopper_kernel
  extern __shared__ __align__(1024) unsigned char dynamic[];
  auto& shared = *reinterpret_cast<UpdateShared<Tile>*>(dynamic);
  const int group = __shfl_sync(~0u, threadIdx.x / Tile::group_threads, 0);
  const Work work = share_of_work<Tile>(p, order);
  Quad* const sums_of_block = reinterpret_cast<Quad*>(sums) + std::int64_t{blockIdx.x} * Tile::quads;
  if (threadIdx.x == 0) {
    prefetch_map(a);
    prefetch_map(b);
    prepare(shared);
  }
  arrive_at_cluster();
  start_after_predecessor();
  if (threadIdx.x == 32) shared.product.adam = adam_factors(p.epilogue.adam, *p.epilogue.state);
  wait_for_cluster();
  if (group == 0 || group == 3) {
    if constexpr (Tile::threads == 384) keep_registers<120>();
    if (threadIdx.x == 0) {
      fetch<GemmLayout::tn, Tile>(a, b, work, shared.product);
    } else if (threadIdx.x >= 32) {
      Updater<Dtype, Tile>(p, maps, work, sums_of_block, shared).run();
    }
  } else {
    if constexpr (Tile::threads == 384) take_registers<192>();
    multiply_and_hand_over<Dtype, Tile>(p, work, group - 1, sums_of_block, shared);
  }
#else
  __trap();
#endif
}

}  // namespace breakeven::hopper
