// SPDX-License-Identifier: Apache-2.0
// Exchanges in which one rank, the root, has all sums or all values: one kernel stages, meets the other
// ranks, and reads what they have staged.
//
// Staging memory is used by odd and even exchanges in turn. When exchange e + 2 overwrites that of e, this
// rank's kernel e + 1 has ended, so it met every rank in e + 1, so their kernels e, which read it, had ended.
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/added.cuh"
#include "mpi/peer/copy_quads.cuh"
#include "mpi/peer/exchange.h"
#include "mpi/peer/meeting.cuh"

namespace breakeven::peer {
namespace {

__device__ float* staged(const Group& group, int rank, std::uint32_t exchange) {
  return reinterpret_cast<float*>(group.area[rank]->staging[exchange % 2]);
}

__global__ __launch_bounds__(copying_threads) void peer_reduce_kernel(const __grid_constant__ Group group,
                                                                      float* data, std::int64_t count,
                                                                      int root, bool vectorised) {
  const std::uint32_t exchange = group.counts->exchanges + 1;
  if (group.rank != root) copy(data, staged(group, group.rank, exchange), count, vectorised);
  meet(group, exchange);
  if (group.rank == root) {
    for_quads(count, vectorised, [&](const QuadsAt& at) {
      Quad sums[copied_together];
      for (int rank = 0; rank < group.ranks; ++rank) {
        Quad quads[copied_together];
        at.load(rank == root ? data : staged(group, rank, exchange), quads);
#pragma unroll
        for (int i = 0; i < copied_together; ++i)
          sums[i] = rank == 0 ? quads[i] : added<float>(sums[i], quads[i]);
      }
      at.store(data, sums);
    });
  }
  count_kernel(group.counts->ended_blocks, group.counts->exchanges);
}

__global__ __launch_bounds__(copying_threads) void peer_broadcast_kernel(const __grid_constant__ Group group,
                                                                         float* data, std::int64_t count,
                                                                         int root, bool vectorised) {
  const std::uint32_t exchange = group.counts->exchanges + 1;
  if (group.rank == root) copy(data, staged(group, root, exchange), count, vectorised);
  meet(group, exchange);
  if (group.rank != root) copy(staged(group, root, exchange), data, count, vectorised);
  count_kernel(group.counts->ended_blocks, group.counts->exchanges);
}

unsigned blocks_of(std::int64_t count) {
  return blocks_for(count, std::int64_t{4} * copying_threads, most_blocks);
}

}  // namespace

void reduce(const Group& group, float* data, std::int64_t count, int root, cudaStream_t stream) {
  peer_reduce_kernel<<<blocks_of(count), copying_threads, 0, stream>>>(group, data, count, root,
                                                                       on_border(data));
  CHECK_LAUNCH("peer_reduce_kernel", count, root);
}

void broadcast(const Group& group, float* data, std::int64_t count, int root, cudaStream_t stream) {
  peer_broadcast_kernel<<<blocks_of(count), copying_threads, 0, stream>>>(group, data, count, root,
                                                                          on_border(data));
  CHECK_LAUNCH("peer_broadcast_kernel", count, root);
}

}  // namespace breakeven::peer
