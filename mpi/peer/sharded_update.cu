// SPDX-License-Identifier: Apache-2.0
// A step's end with sharded optimizer state (ZeRO-1) in one kernel: each rank sends the gradients of the
// others' shares, adds what arrives of its own share in rank order, updates it by Adam, and sends the new
// weights. The weights follow the gradients in the inboxes.
#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/exchange.h"
#include "mpi/peer/inbox.cuh"

namespace breakeven::peer {
namespace {

// Whole buffers hold a share for each rank, `stride` values apart; `update.arrays` are of this rank's share.
template <typename Working>
struct Sharded {
  SummedUpdate update;
  std::int64_t stride;
  bool vectorised;

  __device__ float* gradient(int share) const { return update.gradient + share * stride; }
  __device__ Working* weight(int share) const {
    return static_cast<Working*>(update.working) + share * stride;
  }
  __device__ std::int64_t left(std::int64_t quad) const {
    return static_cast<std::int64_t>(update.count) - 4 * quad;
  }
  __device__ Words<float> gradient_words(int share, std::int64_t quad) const {
    return packed<float>(load_quad(gradient(share) + 4 * quad, left(quad), vectorised));
  }

  // The new weights as words, which every rank stores: -0 is +0 on all of them.
  __device__ Words<Working> updated(const AdamFactors& factors, bool changes, const Quad& sum,
                                    std::int64_t quad, int rank) const {
    const AdamArrays& of = update.arrays;
    const std::int64_t at = 4 * quad, rest = left(quad);
    if (update.keep_gradient) store_quad(gradient(rank) + at, rest, vectorised, sum);
    Quad p = load_quad(of.parameter + at, rest, vectorised);
    if (changes) {
      Quad m = load_quad(of.first_moment + at, rest, vectorised);
      Quad v = load_quad(of.second_moment + at, rest, vectorised);
      adam_update(factors, sum, p, m, v);
      store_quad(of.parameter + at, rest, vectorised, p);
      store_quad(of.first_moment + at, rest, vectorised, m);
      store_quad(of.second_moment + at, rest, vectorised, v);
    }
    const Words<Working> words = packed<Working>(p);
    store_quad(weight(rank) + at, rest, vectorised, unpacked<Working>(words));
    return words;
  }
};

template <typename Working>
__global__ __launch_bounds__(threads) void peer_sharded_update_kernel(
    const __grid_constant__ Group group, const __grid_constant__ Sharded<Working> of) {
  __shared__ AdamFactors factors;  // computed in double by one thread
  if (threadIdx.x == threads - 1) factors = adam_factors(of.update.settings, *of.update.state);
  const bool changes = of.update.state->overflow == 0;
  const std::uint32_t turn = take_turn(*group.counts);  // meets the block: the factors are there
  const std::int64_t quads = (static_cast<std::int64_t>(of.update.count) + 3) / 4;
  const auto gradient_bytes = static_cast<std::size_t>(quads) * sizeof(Words<float>);
  const auto gradients_from = [&](int rank) { return inbox<float>(group, group.rank, turn, rank); };
  const auto send_gradients = [&](const ThreadQuads& mine) {
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank == group.rank) continue;
      Words<float> gradients[together];
      mine.each([&](int i, std::int64_t quad) { gradients[i] = of.gradient_words(rank, quad); });
      send_words(mine, inbox<float>(group, rank, turn, group.rank), gradients);
    }
    be_late_at_random();
  };
  const auto update_and_send_weights = [&](const ThreadQuads& mine) {
    Words<float> own[together];
    mine.each([&](int i, std::int64_t quad) { own[i] = of.gradient_words(group.rank, quad); });
    Quad sums[together];
    add_in_rank_order(mine, own, gradients_from, group, sums);
    Words<Working> weights[together];
    mine.each([&](int i, std::int64_t quad) {
      weights[i] = of.updated(factors, changes, sums[i], quad, group.rank);
    });
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank != group.rank)
        send_words(mine, inbox<Working>(group, rank, turn, group.rank, gradient_bytes), weights);
    }
    be_late_at_random();
  };
  const auto receive_weights = [&](const ThreadQuads& mine) {
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank == group.rank) continue;
      Words<Working> weights[together];
      receive_words(mine, inbox<Working>(group, group.rank, turn, rank, gradient_bytes), rank, group,
                    weights);
      mine.each([&](int i, std::int64_t quad) {
        store_quad(of.weight(rank) + 4 * quad, of.left(quad), of.vectorised, unpacked<Working>(weights[i]));
      });
    }
  };

  // What a thread waits for was sent while it worked on other quads.
  be_late_at_random();
  ThreadQuads mine = first_thread_quads(quads), before{0, 0, 0};
  send_gradients(mine);
  for (; mine.any(); before = mine, mine = mine.next()) {
    send_gradients(mine.next());
    update_and_send_weights(mine);
    receive_weights(before);
  }
  receive_weights(before);
}

}  // namespace

void update_shares(const Group& group, const SummedUpdate& update, std::int64_t stride, cudaStream_t stream) {
  const auto values = static_cast<std::int64_t>(update.count);
  const bool vectorised = stride % 4 == 0 && on_border(update.gradient) &&
                          on_border(update.arrays.parameter) && on_border(update.arrays.first_moment) &&
                          on_border(update.arrays.second_moment) && on_border(update.working, update.dtype);
  with_dtype(update.dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    const Sharded<Working> sharded{update, stride, vectorised};
    peer_sharded_update_kernel<<<inbox_blocks(values), threads, 0, stream>>>(group, sharded);
  });
  CHECK_LAUNCH("peer_sharded_update_kernel", values, stride);
}

}  // namespace breakeven::peer
