// SPDX-License-Identifier: Apache-2.0
// The kernels of the peer transport. Each call takes one piece, which fits the staging memory, a mailbox or a
// slot of an inbox.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/network/cuda_step_exchange.h"
#include "mpi/communicator.h"
#include "mpi/peer/peer_group.h"
#include "src/core/precision.h"

namespace breakeven::peer {

// A share of `count` values for each rank, `stride` values apart, the last of which ends at `total`. Values
// from `data` on; what a rank sends of a piece fits a slot of an inbox.
struct Shares {
  std::int64_t stride;
  std::int64_t count;
  std::int64_t total;
};

// In place: each rank's share becomes the sum over all ranks, in rank order; 16-bit values are rounded to
// nearest even at every addition.
void reduce_scatter(const Group& group, float* data, const Shares& shares, cudaStream_t stream);
// Copies each rank's share to all ranks.
void all_gather(const Group& group, float* data, const Shares& shares, cudaStream_t stream);
// Both.
void all_reduce_shares(const Group& group, void* data, Dtype dtype, const Shares& shares,
                       cudaStream_t stream);

// In place, to and from the rank `root`: sums over all ranks, in rank order, and copies.
void reduce(const Group& group, float* data, std::int64_t count, int root, cudaStream_t stream);
void broadcast(const Group& group, float* data, std::int64_t count, int root, cudaStream_t stream);

// Sums over all ranks, in rank order and the same bits on all of them; 16-bit values as in reduce_scatter.
// The values fit a slot of an inbox.
void all_reduce(const Group& group, void* data, std::size_t count, Dtype dtype, cudaStream_t stream);
void all_reduce_and_update(const Group& group, const SummedUpdate& update, cudaStream_t stream);
// The sums of `count` values of a matrix from its value `first` on, finished by the epilogue of their layer
// (Communicator::all_reduce_and_finish). Both numbers are multiples of four.
bool can_finish(const Epilogue& epilogue, const Matrix& sums, const Matrix& finished);
void all_reduce_and_finish(const Group& group, const float* sums, std::int64_t first, std::int64_t count,
                           const Epilogue& epilogue, const Matrix& finished, cudaStream_t stream);
// An update of a piece of each rank's share by its rank. `update` begins at the piece of the first share; its
// arrays hold all shares and the new parameters are sent (`sends_parameters`), or they hold this rank's share
// and the new weights are sent. What a rank sends of the piece fits a slot of an inbox.
void update_shares(const Group& group, const SummedUpdate& update, const Shares& shares,
                   bool sends_parameters, cudaStream_t stream);
// The third launch of a small network's step, with its gradients summed over all ranks.
bool can_update_network(const Group& group, const NetworkArguments& network);
std::size_t gradient_floats(const NetworkLaunch& launch);
void update_network(const Group& group, const NetworkLaunch& launch);
// Before the first of these calls of any rank.
void empty_inboxes(Area* area);

void send(const Group& group, const float* data, std::int64_t count, int to, cudaStream_t stream);
void receive(const Group& group, float* data, std::int64_t count, int from, cudaStream_t stream);

}  // namespace breakeven::peer
