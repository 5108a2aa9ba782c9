// SPDX-License-Identifier: Apache-2.0
// One-shot all-reduce: every rank writes its values into all others' inboxes, as words that are their own
// flags (words.cuh), and adds what arrives in rank order, so all ranks have the same bits. What is done with
// the sums is part of the same kernel.
#pragma once

#include "mpi/peer/inbox.cuh"

namespace breakeven::peer {

// For the quads of each thread, some at a time, calls prepare(mine), which may load what the sums are used
// for, and finish(mine, sums). A thread sends its next quads before it adds those that it sent before, so
// that the link and the memory work at the same time.
template <typename T, typename Prepare, typename Finish>
__device__ void add_over_ranks(const Group& group, const T* data, std::int64_t count, bool vectorised,
                               const Prepare& prepare, const Finish& finish) {
  const std::uint32_t turn = take_turn(*group.counts);
  const auto send = [&](const ThreadQuads& mine, Words<T>(&own)[together]) {
    mine.each([&](int i, std::int64_t quad) {
      own[i] = packed<T>(load_quad(data + 4 * quad, count - 4 * quad, vectorised));
    });
    for (int rank = 0; rank < group.ranks; ++rank)
      if (rank != group.rank) send_words(mine, inbox<T>(group, rank, turn, group.rank), own);
    be_late_at_random();
  };
  const auto inbox_from = [&](int rank) { return inbox<T>(group, group.rank, turn, rank); };
  be_late_at_random();
  ThreadQuads mine = first_thread_quads((count + 3) / 4);
  Words<T> own[together], of_next[together];
  send(mine, own);
  for (; mine.any(); mine = mine.next()) {
    send(mine.next(), of_next);
    prepare(mine);
    Quad sums[together];
    add_in_rank_order(mine, own, inbox_from, group, sums);
    finish(mine, sums);
#pragma unroll
    for (int i = 0; i < together; ++i) own[i] = of_next[i];
  }
}

// The same for finish(place, sum) of each quad.
template <typename T, typename Finish>
__device__ void add_over_ranks(const Group& group, const T* data, std::int64_t count, bool vectorised,
                               const Finish& finish) {
  add_over_ranks(
      group, data, count, vectorised, [](const ThreadQuads&) {},
      [&](const ThreadQuads& mine, const Quad(&sums)[together]) {
        mine.each([&](int i, std::int64_t quad) { finish(4 * quad, sums[i]); });
      });
}

}  // namespace breakeven::peer
