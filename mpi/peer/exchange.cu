// SPDX-License-Identifier: Apache-2.0
// One kernel stages, meets the other ranks, and reads what they have staged.
//
// Staging memory is used by odd and even exchanges in turn. When exchange e + 2 overwrites that of e, this
// rank's kernel e + 1 has ended, so it met every rank in e + 1, so their kernels e, which read it, had ended.
#include "mpi/peer/exchange.h"

#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/dtype.cuh"
#include "kernels/cuda/quad.cuh"
#include "mpi/peer/added.cuh"
#include "mpi/peer/meeting.cuh"

namespace breakeven::peer {
namespace {

constexpr int threads = 512;
constexpr int together = 4;  // quads that a thread loads before it stores one

// The shares of a call, in the memory of this rank and in the staging memory of all.
template <typename T>
struct Places {
  Group group;
  T* data;
  Shares shares;
  Owner owner;
  int root;
  bool vectorised;

  __device__ int number() const { return owner == Owner::its_rank ? group.ranks : 1; }
  __device__ bool owns(int rank, int share) const { return rank == (owner == Owner::root ? root : share); }
  __device__ std::int64_t length(int share) const {
    const std::int64_t left = shares.total - share * shares.stride;
    return left < 0 ? 0 : left < shares.count ? left : shares.count;
  }
  __device__ T* mine(int share) const { return data + share * shares.stride; }
  __device__ T* staged(int rank, int share, std::uint32_t exchange) const {
    const std::int64_t each = (shares.count + 3) / 4 * 4;
    return reinterpret_cast<T*>(group.area[rank]->staging[exchange % 2]) + share * each;
  }
};

// Calls work(first place, number of quads) for the quads of this thread, several at a time.
template <typename Work>
__device__ void for_quads(std::int64_t length, const Work& work) {
  const std::int64_t stride = std::int64_t{4} * threads * gridDim.x;
  for (std::int64_t first = std::int64_t{4} * (blockIdx.x * threads + threadIdx.x); first < length;
       first += together * stride) {
    work(first, stride);
  }
}

template <typename T>
__device__ void copy(const T* from, T* to, std::int64_t length, bool vectorised) {
  for_quads(length, [&](std::int64_t first, std::int64_t stride) {
    Quad quads[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const std::int64_t place = first + i * stride;
      quads[i] = load_quad(from + place, length - place, vectorised);
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const std::int64_t place = first + i * stride;
      store_quad(to + place, length - place, vectorised, quads[i]);
    }
  });
}

template <typename T>
__global__ __launch_bounds__(threads) void peer_reduce_kernel(const __grid_constant__ Places<T> p) {
  const Group& group = p.group;
  const std::uint32_t exchange = group.counts->exchanges + 1;
  for (int share = 0; share < p.number(); ++share) {
    if (!p.owns(group.rank, share))
      copy(p.mine(share), p.staged(group.rank, share, exchange), p.length(share), p.vectorised);
  }
  meet(group, exchange);
  for (int share = 0; share < p.number(); ++share) {
    if (!p.owns(group.rank, share)) continue;
    const std::int64_t length = p.length(share);
    T* const mine = p.mine(share);
    for_quads(length, [&](std::int64_t first, std::int64_t stride) {
      Quad sums[together];
      for (int rank = 0; rank < group.ranks; ++rank) {
        const T* const from = rank == group.rank ? mine : p.staged(rank, share, exchange);
        Quad quads[together];
#pragma unroll
        for (int i = 0; i < together; ++i) {
          const std::int64_t place = first + i * stride;
          quads[i] = load_quad(from + place, length - place, p.vectorised);
        }
#pragma unroll
        for (int i = 0; i < together; ++i) sums[i] = rank == 0 ? quads[i] : added<T>(sums[i], quads[i]);
      }
#pragma unroll
      for (int i = 0; i < together; ++i) {
        const std::int64_t place = first + i * stride;
        store_quad(mine + place, length - place, p.vectorised, sums[i]);
      }
    });
  }
  count_kernel(group.counts->ended_blocks, group.counts->exchanges);
}

template <typename T>
__global__ __launch_bounds__(threads) void peer_gather_kernel(const __grid_constant__ Places<T> p) {
  const Group& group = p.group;
  const std::uint32_t exchange = group.counts->exchanges + 1;
  for (int share = 0; share < p.number(); ++share) {
    if (p.owns(group.rank, share))
      copy(p.mine(share), p.staged(group.rank, share, exchange), p.length(share), p.vectorised);
  }
  meet(group, exchange);
  for (int share = 0; share < p.number(); ++share) {
    const int rank = p.owner == Owner::root ? p.root : share;
    if (rank != group.rank)
      copy(p.staged(rank, share, exchange), p.mine(share), p.length(share), p.vectorised);
  }
  count_kernel(group.counts->ended_blocks, group.counts->exchanges);
}

// The quads of a mailbox belong to fixed blocks, whatever a message's length: so a block that knows that the
// same block of the receiver has emptied the message before the last one may overwrite its own quads.
__global__ __launch_bounds__(threads) void peer_send_kernel(const __grid_constant__ Group group,
                                                            const float* data, std::int64_t count, int to,
                                                            bool vectorised) {
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

__global__ __launch_bounds__(threads) void peer_receive_kernel(const __grid_constant__ Group group,
                                                               float* data, std::int64_t count, int from,
                                                               bool vectorised) {
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

unsigned blocks_of(const Shares& shares) {
  return blocks_for(std::min(shares.count, shares.total), std::int64_t{4} * threads, most_blocks);
}

template <typename Launch>
void with_places(const Group& group, void* data, Dtype dtype, const Shares& shares, Owner owner, int root,
                 const Launch& launch) {
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const bool vectorised = on_border(data, dtype) && (owner != Owner::its_rank || shares.stride % 4 == 0);
    launch(Places<T>{group, static_cast<T*>(data), shares, owner, root, vectorised});
  });
}

}  // namespace

void reduce(const Group& group, void* data, Dtype dtype, const Shares& shares, Owner owner, int root,
            cudaStream_t stream) {
  with_places(group, data, dtype, shares, owner, root, [&](const auto& places) {
    peer_reduce_kernel<<<blocks_of(shares), threads, 0, stream>>>(places);
  });
  CHECK_LAUNCH("peer_reduce_kernel", shares.count);
}

void gather(const Group& group, void* data, Dtype dtype, const Shares& shares, Owner owner, int root,
            cudaStream_t stream) {
  with_places(group, data, dtype, shares, owner, root, [&](const auto& places) {
    peer_gather_kernel<<<blocks_of(shares), threads, 0, stream>>>(places);
  });
  CHECK_LAUNCH("peer_gather_kernel", shares.count);
}

void send(const Group& group, const float* data, std::int64_t count, int to, cudaStream_t stream) {
  peer_send_kernel<<<message_blocks, threads, 0, stream>>>(group, data, count, to, on_border(data));
  CHECK_LAUNCH("peer_send_kernel", count, to);
}

void receive(const Group& group, float* data, std::int64_t count, int from, cudaStream_t stream) {
  peer_receive_kernel<<<message_blocks, threads, 0, stream>>>(group, data, count, from, on_border(data));
  CHECK_LAUNCH("peer_receive_kernel", count, from);
}

}  // namespace breakeven::peer
