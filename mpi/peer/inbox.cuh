// SPDX-License-Identifier: Apache-2.0
// The inboxes of a rank, into which the others write words (words.cuh), and how a thread uses them.
//
// Two inboxes are used in turn. A thread empties what it has read. Call c + 2 fills the inbox of call c
// again: a rank that does so has received what this one sent in call c + 1, so this one's call c has ended,
// and what it emptied is in memory. So these kernels send nothing before their predecessor has ended
// (programmatic dependent launch: update_network.cu).
//
// A thread waits only for words that the same thread of the other ranks writes before it waits for a later
// one. So the ranks do not wait for each other in a circle: 128 multiprocessors run all blocks at a time, and
// fewer begin them in the order of their numbers.
#pragma once

#include "mpi/peer/added.cuh"
#include "mpi/peer/words.cuh"

namespace breakeven::peer {

constexpr int threads = 512;
constexpr int together = 2;  // quads that a thread sends at a time
constexpr std::int64_t most_inbox_blocks = 128;

// The words from a rank in the memory of another, after `offset_bytes` of others. `turn` is 0 or 1.
template <typename T>
__device__ Words<T>* inbox(const Group& group, int of, std::uint32_t turn, int from,
                           std::size_t offset_bytes = 0) {
  const auto slot = static_cast<std::size_t>(from < of ? from : from - 1);
  return reinterpret_cast<Words<T>*>(group.area[of]->inbox[turn] + slot * slot_bytes(group.ranks) +
                                     offset_bytes);
}

// Whose turn it is. From L2, because L1 may hold an old value for a kernel that started early.
__device__ inline std::uint32_t turn_of(const Counts& counts) { return __ldcg(&counts.turn); }

// By every block of a call, once its threads have met with the turn in hand. The last block to do so changes
// it for the next call; the blocks need not be resident at the same time.
__device__ inline void end_turn(Counts& counts, std::uint32_t turn) {
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&counts.begun_blocks, 1) + 1 < gridDim.x) return;
  counts.begun_blocks = 0;
  counts.turn = 1 - turn;
}

__device__ inline std::uint32_t take_turn(Counts& counts) {
  const std::uint32_t turn = turn_of(counts);
  __syncthreads();
  end_turn(counts, turn);
  return turn;
}

// The quads that a thread works on between two waits.
struct ThreadQuads {
  std::int64_t first, stride, end;

  __device__ bool any() const { return first < end; }
  __device__ ThreadQuads next() const { return {first + together * stride, stride, end}; }
  // Calls work(index, quad) for each, in registers.
  template <typename Work>
  __device__ void each(const Work& work) const {
#pragma unroll
    for (int i = 0; i < together; ++i)
      if (first + i * stride < end) work(i, first + i * stride);
  }
};

// The first ones of this thread, of `quads` that the grid works on.
__device__ inline ThreadQuads first_thread_quads(std::int64_t quads) {
  return {std::int64_t{blockIdx.x} * threads + threadIdx.x, std::int64_t{threads} * gridDim.x, quads};
}

template <typename T>
__device__ void send_words(const ThreadQuads& mine, Words<T>* to, const Words<T> (&words)[together]) {
  mine.each([&](int i, std::int64_t quad) { store_now(to + quad, words[i]); });
}

// Waits for the words of these quads, and empties their places.
template <typename T>
__device__ void receive_words(const ThreadQuads& mine, Words<T>* from, int rank, const Group& group,
                              Words<T> (&words)[together]) {
  mine.each([&](int i, std::int64_t quad) { words[i] = load_now(from + quad); });
  mine.each([&](int i, std::int64_t quad) {
    words[i] = when_complete(words[i], from + quad, rank, group);
    from[quad] = nothing<T>();
  });
}

// The sums over the ranks, in rank order, of what this rank has and what the others have sent.
template <typename T, typename InboxFrom>
__device__ void add_in_rank_order(const ThreadQuads& mine, const Words<T> (&own)[together],
                                  const InboxFrom& inbox_from, const Group& group, Quad (&sums)[together]) {
  for (int rank = 0; rank < group.ranks; ++rank) {
    Words<T> words[together];
    if (rank == group.rank) {
      mine.each([&](int i, std::int64_t) { words[i] = own[i]; });
    } else {
      receive_words(mine, inbox_from(rank), rank, group, words);
    }
    mine.each([&](int i, std::int64_t) {
      const Quad values = unpacked<T>(words[i]);
      sums[i] = rank == 0 ? values : added<T>(sums[i], values);
    });
  }
}

inline unsigned inbox_blocks(std::int64_t count) {
  return blocks_for(count, std::int64_t{4} * threads, most_inbox_blocks);
}

}  // namespace breakeven::peer
