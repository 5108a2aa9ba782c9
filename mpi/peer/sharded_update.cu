// SPDX-License-Identifier: Apache-2.0
// A step's end in one kernel in which each rank updates a share of the parameters by Adam: it sends the
// gradients of the others' shares, adds what arrives of its own share in rank order, updates it, and sends
// what is new. That follows the gradients in the inboxes.
//
// With sharded optimizer state (ZeRO-1) new are the weights that products read. Otherwise all ranks hold all
// parameters, and new are the parameters; then the moments of the others' shares are out of date, and nobody
// reads them.
#include <type_traits>

#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/adam_quads.cuh"
#include "mpi/peer/share_places.cuh"

namespace breakeven::peer {
namespace {

template <typename Working, bool sends_parameters>
struct Sharded : SharePlaces {
  using Sent = std::conditional_t<sends_parameters, float, Working>;

  SummedUpdate update;  // its arrays are of all shares, or with ZeRO-1 of this rank's
  bool vectorised;

  __device__ Words<float> gradient_words(int share, std::int64_t quad) const {
    return packed<float>(load_quad(update.gradient + place(share, quad), left(share, quad), vectorised));
  }
  __device__ void store_weights(int share, std::int64_t quad, const Quad& weights) const {
    if (update.working == nullptr) return;
    store_quad(static_cast<Working*>(update.working) + place(share, quad), left(share, quad), vectorised,
               weights);
  }
  // What another rank has sent.
  __device__ void store_received(int share, std::int64_t quad, const Quad& values) const {
    store_weights(share, quad, values);
    if constexpr (sends_parameters)
      store_quad(update.arrays.parameter + place(share, quad), left(share, quad), vectorised, values);
  }
};

template <typename Working, bool sends_parameters>
__global__ __launch_bounds__(threads) void peer_sharded_update_kernel(
    const __grid_constant__ Group group, const __grid_constant__ Sharded<Working, sends_parameters> of) {
  using Sent = typename Sharded<Working, sends_parameters>::Sent;
  __shared__ AdamFactors factors;  // computed in double by one thread
  if (threadIdx.x == threads - 1) factors = adam_factors(of.update.settings, *of.update.state);
  const bool changes = of.update.state->overflow == 0;
  const std::uint32_t turn = take_turn(*group.counts);  // meets the block: the factors are there
  const std::int64_t quads = of.quads();
  const auto gradient_bytes = static_cast<std::size_t>(quads) * sizeof(Words<float>);
  const int own = group.rank;
  const auto left_of_own = [&](std::int64_t quad) { return of.left(own, quad); };
  const auto place_in_arrays = [&](std::int64_t quad) {
    return sends_parameters ? of.place(own, quad) : 4 * quad;
  };

  const auto send_gradients = [&](const ThreadQuads& mine) {
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank == own) continue;
      Words<float> gradients[together];
      mine.each([&](int i, std::int64_t quad) { gradients[i] = of.gradient_words(rank, quad); });
      send_words(mine, inbox<float>(group, rank, turn, own), gradients);
    }
    be_late_at_random();
  };
  const auto update_and_send = [&](const ThreadQuads& mine) {
    AdamQuads adam;
    adam.load(mine, of.update.arrays, place_in_arrays, left_of_own, of.vectorised);
    Words<float> gradients[together];
    mine.each([&](int i, std::int64_t quad) { gradients[i] = of.gradient_words(own, quad); });
    Quad sums[together];
    const auto gradients_from = [&](int rank) { return inbox<float>(group, own, turn, rank); };
    add_in_rank_order(mine, gradients, gradients_from, group, sums);
    if (changes) adam.update(mine, factors, sums);
    // All ranks store what is sent: -0 is +0 on all of them.
    Words<Sent> sent[together];
    mine.each([&](int i, std::int64_t) {
      sent[i] = packed<Sent>(adam.parameter[i]);
      if constexpr (sends_parameters) adam.parameter[i] = unpacked<Sent>(sent[i]);
    });
    for (int rank = 0; rank < group.ranks; ++rank)
      if (rank != own) send_words(mine, inbox<Sent>(group, rank, turn, own, gradient_bytes), sent);
    if (changes) adam.store(mine, of.update.arrays, place_in_arrays, left_of_own, of.vectorised);
    mine.each([&](int i, std::int64_t quad) {
      of.store_weights(own, quad, unpacked<Sent>(sent[i]));
      if (of.update.keep_gradient)
        store_quad(of.update.gradient + of.place(own, quad), of.left(own, quad), of.vectorised, sums[i]);
    });
    be_late_at_random();
  };
  const auto receive = [&](const ThreadQuads& mine) {
    for (int rank = 0; rank < group.ranks; ++rank) {
      if (rank == own) continue;
      Words<Sent> sent[together];
      receive_words(mine, inbox<Sent>(group, own, turn, rank, gradient_bytes), rank, group, sent);
      mine.each([&](int i, std::int64_t quad) { of.store_received(rank, quad, unpacked<Sent>(sent[i])); });
    }
  };

  // What a thread waits for was sent while it worked on other quads.
  be_late_at_random();
  ThreadQuads mine = first_thread_quads(quads), before{0, 0, 0};
  send_gradients(mine);
  for (; mine.any(); before = mine, mine = mine.next()) {
    send_gradients(mine.next());
    update_and_send(mine);
    receive(before);
  }
  receive(before);
}

}  // namespace

void update_shares(const Group& group, const SummedUpdate& update, const Shares& shares,
                   bool sends_parameters, cudaStream_t stream) {
  const AdamArrays& arrays = update.arrays;
  const bool vectorised = shares.stride % 4 == 0 && on_border(update.gradient) &&
                          on_border(arrays.parameter) && on_border(arrays.first_moment) &&
                          on_border(arrays.second_moment) && on_border(update.working, update.dtype);
  const auto launch = [&](const auto& sharded) {
    peer_sharded_update_kernel<<<inbox_blocks(shares.count), threads, 0, stream>>>(group, sharded);
  };
  with_dtype(update.dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    if (sends_parameters)
      launch(Sharded<Working, true>{{shares}, update, vectorised});
    else
      launch(Sharded<Working, false>{{shares}, update, vectorised});
  });
  CHECK_LAUNCH("peer_sharded_update_kernel", shares.count, shares.stride);
}

}  // namespace breakeven::peer
