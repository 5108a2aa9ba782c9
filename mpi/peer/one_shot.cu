// SPDX-License-Identifier: Apache-2.0
// One-shot all-reduce: every rank writes its values into all others' inboxes, as words that are their own
// flags (words.cuh), and adds what arrives in rank order, so all ranks have the same bits. What is done with
// the sums is part of the same kernel: they are stored, or the parameters are updated by them.
//
// Two inboxes are used in turn. A thread empties what it has read. Call c + 2 fills the inbox of call c
// again: a rank that does so has received what this one sent in call c + 1, so this one's call c has ended.
//
// A thread waits only for words that the same thread of the other ranks has written before it waited itself,
// so the ranks cannot wait for each other in a circle, however many blocks run at a time.
#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/added.cuh"
#include "mpi/peer/exchange.h"
#include "mpi/peer/words.cuh"

namespace breakeven::peer {
namespace {

constexpr int threads = 512;
constexpr int together = 4;  // quads that a thread sends before it waits for the first
constexpr std::int64_t most_shot_blocks = 128;

// The words from a rank in the memory of another. `turn` is 0 or 1.
template <typename T>
__device__ Words<T>* inbox(const Group& group, int of, std::uint32_t turn, int from) {
  const auto slot = static_cast<std::size_t>(from < of ? from : from - 1);
  return reinterpret_cast<Words<T>*>(group.area[of]->inbox[turn] + slot * slot_bytes(group.ranks));
}

// Whose turn it is. The last block to ask changes that for the next call.
__device__ std::uint32_t take_turn(Counts& counts) {
  const std::uint32_t turn = counts.turn;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&counts.begun_blocks, 1) + 1 == gridDim.x) {
      counts.begun_blocks = 0;
      counts.turn = 1 - turn;
    }
  }
  return turn;
}

// Calls finish(place, sum) for every quad of the sums over the ranks.
template <typename T, typename Finish>
__device__ void add_over_ranks(const Group& group, const T* data, std::int64_t count, bool vectorised,
                               const Finish& finish) {
  const std::uint32_t turn = take_turn(*group.counts);
  const std::int64_t quads = (count + 3) / 4;
  const std::int64_t stride = std::int64_t{threads} * gridDim.x;
  be_late_at_random();
  for (std::int64_t first = std::int64_t{blockIdx.x} * threads + threadIdx.x; first < quads;
       first += together * stride) {
    const auto for_quads = [&](const auto& work) {
#pragma unroll
      for (int i = 0; i < together; ++i)
        if (first + i * stride < quads) work(i, first + i * stride);
    };
    Words<T> mine[together];
    for_quads([&](int i, std::int64_t quad) {
      mine[i] = packed<T>(load_quad(data + 4 * quad, count - 4 * quad, vectorised));
    });
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank == group.rank) continue;
      Words<T>* const theirs = inbox<T>(group, rank, turn, group.rank);
      for_quads([&](int i, std::int64_t quad) { store_now(theirs + quad, mine[i]); });
    }
    be_late_at_random();
    Quad sums[together];
    for (int rank = 0; rank < group.ranks; ++rank) {
      Words<T> words[together];
      if (rank == group.rank) {
        for_quads([&](int i, std::int64_t) { words[i] = mine[i]; });
      } else {
        Words<T>* const arriving = inbox<T>(group, group.rank, turn, rank);
        for_quads([&](int i, std::int64_t quad) { words[i] = load_now(arriving + quad); });
        for_quads([&](int i, std::int64_t quad) {
          words[i] = when_complete(words[i], arriving + quad, rank, group);
          arriving[quad] = nothing<T>();
        });
      }
      for_quads([&](int i, std::int64_t) {
        const Quad values = unpacked<T>(words[i]);
        sums[i] = rank == 0 ? values : added<T>(sums[i], values);
      });
    }
    for_quads([&](int i, std::int64_t quad) { finish(4 * quad, sums[i]); });
  }
}

template <typename T>
__global__ __launch_bounds__(threads) void peer_all_reduce_kernel(const __grid_constant__ Group group,
                                                                  T* data, std::int64_t count,
                                                                  bool vectorised) {
  add_over_ranks(group, data, count, vectorised, [&](std::int64_t place, const Quad& sum) {
    store_quad(data + place, count - place, vectorised, sum);
  });
}

// After an overflow the parameters stay as they are.
template <typename Working>
__global__ __launch_bounds__(threads) void peer_update_kernel(const __grid_constant__ Group group,
                                                              const __grid_constant__ SummedUpdate update,
                                                              bool vectorised) {
  __shared__ AdamFactors factors;  // computed in double by one thread
  if (threadIdx.x == threads - 1) factors = adam_factors(update.settings, *update.state);
  __syncthreads();
  const bool updates = update.state->overflow == 0;
  const auto count = static_cast<std::int64_t>(update.count);
  add_over_ranks(group, update.gradient, count, vectorised, [&](std::int64_t place, const Quad& sum) {
    const std::int64_t left = count - place;
    if (update.keep_gradient) store_quad(update.gradient + place, left, vectorised, sum);
    if (updates)
      adam_update(factors, sum, update.arrays, static_cast<Working*>(update.working), place, left,
                  vectorised);
  });
}

__global__ void empty_inboxes_kernel(Area* area) {
  auto* const words = reinterpret_cast<Words<float>*>(area->inbox);
  constexpr std::size_t count = sizeof(area->inbox) / sizeof(Words<float>);
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    words[i] = nothing<float>();
  }
}

unsigned blocks_of(std::size_t count) {
  return blocks_for(static_cast<std::int64_t>(count), std::int64_t{4} * threads, most_shot_blocks);
}

}  // namespace

void all_reduce(const Group& group, void* data, std::size_t count, Dtype dtype, cudaStream_t stream) {
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    peer_all_reduce_kernel<<<blocks_of(count), threads, 0, stream>>>(
        group, static_cast<T*>(data), static_cast<std::int64_t>(count), on_border(data, dtype));
  });
  CHECK_LAUNCH("peer_all_reduce_kernel", static_cast<std::int64_t>(count));
}

void all_reduce_and_update(const Group& group, const SummedUpdate& update, cudaStream_t stream) {
  const bool vectorised = on_border(update.gradient) && on_border(update.arrays.parameter) &&
                          on_border(update.arrays.first_moment) && on_border(update.arrays.second_moment) &&
                          on_border(update.working, update.dtype);
  with_dtype(update.dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    peer_update_kernel<Working><<<blocks_of(update.count), threads, 0, stream>>>(group, update, vectorised);
  });
  CHECK_LAUNCH("peer_update_kernel", static_cast<std::int64_t>(update.count));
}

void empty_inboxes(Area* area) {
  empty_inboxes_kernel<<<most_shot_blocks, threads>>>(area);
  CHECK_LAUNCH("empty_inboxes_kernel", inbox_bytes);
}

}  // namespace breakeven::peer
