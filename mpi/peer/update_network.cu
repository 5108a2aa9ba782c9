// SPDX-License-Identifier: Apache-2.0
// The third kernel of a small network's step with its gradients summed over the ranks: a one-shot all-reduce
// (add_over_ranks.cuh) of each tile's gradients between the products and Adam's update.
//
// No block waits for ever. Each sends all it has before it waits, and waits for the block of the same number
// alone. Blocks begin in the order of their numbers, as on every GPU so far, and need nothing else of another
// rank to begin: each rank has a GPU, or its turns on one, and shares none at the same time (MPS). So the
// first block that has not ended on all ranks has begun on all, or a place for it is free: only blocks before
// it could take all places, and they have ended.
//
// The inboxes are used in turn as inbox.cuh says, although this kernel begins before its predecessor has
// ended. It begins when all blocks of the step's second kernel have seen their predecessor, the first kernel,
// end, which had seen the call before this one end: so the turn is known, and what that call emptied is in
// memory. It sends gradients, so after start_after_predecessor(). The next step's first kernel may begin as
// soon as all blocks of this one have, and uses no inbox.
#include "kernels/cuda/network/update_tile.cuh"
#include "mpi/peer/exchange.h"
#include "mpi/peer/inbox.cuh"

namespace breakeven::peer {
namespace {

// Of a block in a slot: two quads of each thread, and one of each lane of the warp that has the biases.
constexpr int quads_a_block = together * update_threads + 32;
constexpr std::size_t block_bytes = quads_a_block * sizeof(Words<float>);

// More ranks send more in one shot than in shares. On a link of NVLink these bytes take about as long as
// the launches that are saved.
constexpr double most_bytes_more = 8 << 20;

class BlockExchange {
 public:
  static constexpr bool is_needed = true;

  __device__ explicit BlockExchange(const Group& group) : group_(group), turn_(turn_of(*group.counts)) {}

  __device__ void sum(int count, Quad (&quads)[together], bool has_last, Quad& last) const {
    const auto thread = static_cast<int>(threadIdx.x);
    constexpr int first_last = together * update_threads;
    const ThreadQuads mine{thread, update_threads, thread + count * update_threads};
    const ThreadQuads of_last{first_last + thread, 1, first_last + thread + (has_last ? 1 : 0)};
    Words<float> own[together], own_last[together];
    mine.each([&](int i, std::int64_t) { own[i] = packed<float>(quads[i]); });
    own_last[0] = packed<float>(last);
    be_late_at_random();
    for (int i = 1; i < group_.ranks; ++i) {  // to another rank than the others at the same time
      const int rank = (group_.rank + i) % group_.ranks;
      send_words(mine, slot(rank, group_.rank), own);
      send_words(of_last, slot(rank, group_.rank), own_last);
      be_late_at_random();
    }
    __syncthreads();  // all threads know the turn
    end_turn(*group_.counts, turn_);
    const auto slot_from = [&](int rank) { return slot(group_.rank, rank); };
    add_in_rank_order(mine, own, slot_from, group_, quads);
    Quad sum_of_last[together];
    add_in_rank_order(of_last, own_last, slot_from, group_, sum_of_last);
    if (has_last) last = sum_of_last[0];
  }

 private:
  // This block's part.
  __device__ Words<float>* slot(int of, int from) const {
    return inbox<float>(group_, of, turn_, from, blockIdx.x * block_bytes);
  }

  const Group& group_;
  std::uint32_t turn_;
};

template <typename Products>
__global__ __launch_bounds__(update_threads, 2) void peer_update_network_kernel(
    const __grid_constant__ Group group, const __grid_constant__ UpdateArguments arguments) {
  extern __shared__ __align__(16) float shared[];
  update_layers<Products>(arguments, BlockExchange(group), shared);
}

}  // namespace

std::size_t gradient_floats(const NetworkArguments& net) {
  std::int64_t floats = 0;
  for (int l = 0; l < net.layers; ++l)
    floats += std::int64_t{net.layer[l].out} * net.layer[l].in_ld + net.layer[l].out_ld;
  return static_cast<std::size_t>(floats);
}
std::size_t gradient_floats(const NetworkLaunch& launch) { return gradient_floats(launch.network); }

bool can_update_network(const Group& group, const NetworkArguments& net) {
  const double bytes = sizeof(float) * static_cast<double>(gradient_floats(net));
  const double bytes_more = bytes * (group.ranks - 1) * (group.ranks - 2) / group.ranks;
  return static_cast<std::size_t>(update_blocks(net)) * block_bytes <= slot_bytes(group.ranks) &&
         bytes_more <= most_bytes_more;
}

void update_network(const Group& group, const NetworkLaunch& launch) {
  const UpdateArguments arguments{launch.network, update_tiles(launch.network)};
  with_operands(launch.precision, [&](auto operands) {
    using Products = typename UpdateOf<decltype(operands)>::Products;
    launch_network_kernel(peer_update_network_kernel<Products>, "peer_update_network_kernel",
                          update_shape<Products>(launch.network), launch.stream, group, arguments);
  });
}

}  // namespace breakeven::peer
