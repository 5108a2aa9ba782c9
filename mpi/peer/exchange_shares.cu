// SPDX-License-Identifier: Apache-2.0
// Exchanges in which each rank owns a share of the values, in one kernel. Each rank sends its part of every
// other share to the owner, adds what arrives for its own share in rank order, and sends the sums to all
// others. A reduce-scatter is the first half of that, an all-gather the second, an all-reduce both: then
// every value crosses the link of a rank twice, whatever the number of ranks.
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/inbox.cuh"
#include "mpi/peer/share_places.cuh"

namespace breakeven::peer {
namespace {

template <typename T, bool adds, bool sends>
__global__ __launch_bounds__(threads) void peer_shares_kernel(const __grid_constant__ Group group, T* data,
                                                              SharePlaces of, bool vectorised) {
  const std::uint32_t turn = take_turn(*group.counts);
  // In an inbox the sums follow the parts.
  const std::size_t sums_at = adds ? static_cast<std::size_t>(of.quads()) * sizeof(Words<T>) : 0;
  const int own = group.rank;
  const auto load_words = [&](int share, const ThreadQuads& mine, Words<T>(&words)[together]) {
    mine.each([&](int i, std::int64_t quad) {
      words[i] = packed<T>(load_quad(data + of.place(share, quad), of.left(share, quad), vectorised));
    });
  };
  // All ranks store what is sent: -0 is +0 on all of them.
  const auto store_words = [&](int share, const ThreadQuads& mine, const Words<T>(&words)[together]) {
    mine.each([&](int i, std::int64_t quad) {
      store_quad(data + of.place(share, quad), of.left(share, quad), vectorised, unpacked<T>(words[i]));
    });
  };

  const auto send_parts = [&](const ThreadQuads& mine) {
    for (int rank = 0; adds && rank < group.ranks; ++rank) {
      if (rank == own) continue;
      Words<T> parts[together];
      load_words(rank, mine, parts);
      send_words(mine, inbox<T>(group, rank, turn, own), parts);
    }
    be_late_at_random();
  };
  const auto finish_own = [&](const ThreadQuads& mine) {
    Words<T> words[together];
    load_words(own, mine, words);
    if constexpr (adds) {
      Quad sums[together];
      const auto parts_from = [&](int rank) { return inbox<T>(group, own, turn, rank); };
      add_in_rank_order(mine, words, parts_from, group, sums);
      mine.each([&](int i, std::int64_t) { words[i] = packed<T>(sums[i]); });
    }
    for (int rank = 0; sends && rank < group.ranks; ++rank)
      if (rank != own) send_words(mine, inbox<T>(group, rank, turn, own, sums_at), words);
    store_words(own, mine, words);
    be_late_at_random();
  };
  const auto receive = [&](const ThreadQuads& mine) {
    for (int rank = 0; sends && rank < group.ranks; ++rank) {
      if (rank == own) continue;
      Words<T> words[together];
      receive_words(mine, inbox<T>(group, own, turn, rank, sums_at), rank, group, words);
      store_words(rank, mine, words);
    }
  };

  // What a thread waits for was sent while it worked on other quads.
  be_late_at_random();
  ThreadQuads mine = first_thread_quads(of.quads()), before{0, 0, 0};
  send_parts(mine);
  for (; mine.any(); before = mine, mine = mine.next()) {
    send_parts(mine.next());
    finish_own(mine);
    receive(before);
  }
  receive(before);
}

template <bool adds, bool sends>
void exchange_shares(const Group& group, void* data, Dtype dtype, const Shares& shares, cudaStream_t stream) {
  const bool vectorised = on_border(data, dtype) && shares.stride % 4 == 0;
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    peer_shares_kernel<T, adds, sends><<<inbox_blocks(shares.count), threads, 0, stream>>>(
        group, static_cast<T*>(data), SharePlaces{shares}, vectorised);
  });
  CHECK_LAUNCH("peer_shares_kernel", shares.count, shares.stride);
}

}  // namespace

void reduce_scatter(const Group& group, float* data, const Shares& shares, cudaStream_t stream) {
  exchange_shares<true, false>(group, data, Dtype::fp32, shares, stream);
}

void all_gather(const Group& group, float* data, const Shares& shares, cudaStream_t stream) {
  exchange_shares<false, true>(group, data, Dtype::fp32, shares, stream);
}

void all_reduce_shares(const Group& group, void* data, Dtype dtype, const Shares& shares,
                       cudaStream_t stream) {
  exchange_shares<true, true>(group, data, dtype, shares, stream);
}

}  // namespace breakeven::peer
