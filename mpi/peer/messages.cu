// SPDX-License-Identifier: Apache-2.0
// Messages between two ranks, through a mailbox in the receiver's memory.
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/copy_quads.cuh"
#include "mpi/peer/exchange.h"
#include "mpi/peer/meeting.cuh"

namespace breakeven::peer {
namespace {

// The quads of a mailbox belong to fixed blocks, whatever a message's length: so a block that knows that the
// same block of the receiver has emptied the message before the last one may overwrite its own quads.
__global__ __launch_bounds__(copying_threads) void peer_send_kernel(const __grid_constant__ Group group,
                                                                    const float* data, std::int64_t count,
                                                                    int to, bool vectorised) {
  const std::uint32_t message = group.counts->sent[to] + 1;
  if (threadIdx.x == 0)
    wait_for(&group.area[group.rank]->flags.emptied[to][blockIdx.x], message - 2, to, group);
  __syncthreads();
  copy(data, reinterpret_cast<float*>(group.area[to]->mailbox[group.rank][message % 2]), count, vectorised);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    store_release(&group.area[to]->flags.filled[group.rank][blockIdx.x], message);
  }
  count_kernel(group.counts->ended_sends[to], group.counts->sent[to]);
}

__global__ __launch_bounds__(copying_threads) void peer_receive_kernel(const __grid_constant__ Group group,
                                                                       float* data, std::int64_t count,
                                                                       int from, bool vectorised) {
  const std::uint32_t message = group.counts->received[from] + 1;
  Area& mine = *group.area[group.rank];
  if (threadIdx.x == 0) wait_for(&mine.flags.filled[from][blockIdx.x], message, from, group);
  __syncthreads();
  copy(reinterpret_cast<const float*>(mine.mailbox[from][message % 2]), data, count, vectorised);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    store_release(&group.area[from]->flags.emptied[group.rank][blockIdx.x], message);
  }
  count_kernel(group.counts->ended_receives[from], group.counts->received[from]);
}

}  // namespace

void send(const Group& group, const float* data, std::int64_t count, int to, cudaStream_t stream) {
  peer_send_kernel<<<message_blocks, copying_threads, 0, stream>>>(group, data, count, to, on_border(data));
  CHECK_LAUNCH("peer_send_kernel", count, to);
}

void receive(const Group& group, float* data, std::int64_t count, int from, cudaStream_t stream) {
  peer_receive_kernel<<<message_blocks, copying_threads, 0, stream>>>(group, data, count, from,
                                                                      on_border(data));
  CHECK_LAUNCH("peer_receive_kernel", count, from);
}

}  // namespace breakeven::peer
