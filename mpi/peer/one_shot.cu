// SPDX-License-Identifier: Apache-2.0
// One-shot all-reduces (add_over_ranks.cuh) whose sums are stored, or update the parameters.
#include "kernels/cuda/cuda_check.h"
#include "mpi/peer/adam_quads.cuh"
#include "mpi/peer/add_over_ranks.cuh"
#include "mpi/peer/exchange.h"

namespace breakeven::peer {
namespace {

template <typename T>
__global__ __launch_bounds__(threads) void peer_all_reduce_kernel(const __grid_constant__ Group group,
                                                                  T* data, std::int64_t count,
                                                                  bool vectorised) {
  add_over_ranks(group, data, count, vectorised, [&](std::int64_t place, const Quad& sum) {
    store_quad(data + place, count - place, vectorised, sum);
  });
}

// After an overflow the parameters stay as they are.
template <typename Working>
__global__ __launch_bounds__(threads) void peer_update_kernel(const __grid_constant__ Group group,
                                                              const __grid_constant__ SummedUpdate update,
                                                              bool vectorised) {
  __shared__ AdamFactors factors;  // computed in double by one thread
  if (threadIdx.x == threads - 1) factors = adam_factors(update.settings, *update.state);
  const bool changes = update.state->overflow == 0;
  auto* const working = static_cast<Working*>(update.working);
  const auto place = [](std::int64_t quad) { return 4 * quad; };
  const auto left = [&](std::int64_t quad) { return static_cast<std::int64_t>(update.count) - 4 * quad; };
  AdamQuads adam;
  // Its first meeting of the block lets all threads see the factors.
  add_over_ranks(
      group, update.gradient, static_cast<std::int64_t>(update.count), vectorised,
      [&](const ThreadQuads& mine) {
        if (changes) adam.load(mine, update.arrays, place, left, vectorised);
      },
      [&](const ThreadQuads& mine, const Quad(&sums)[together]) {
        mine.each([&](int i, std::int64_t quad) {
          if (update.keep_gradient) store_quad(update.gradient + 4 * quad, left(quad), vectorised, sums[i]);
        });
        if (!changes) return;
        adam.update(mine, factors, sums);
        adam.store(mine, update.arrays, place, left, vectorised);
        if (working == nullptr) return;
        mine.each([&](int i, std::int64_t quad) {
          store_quad(working + 4 * quad, left(quad), vectorised, adam.parameter[i]);
        });
      });
}

__global__ void empty_inboxes_kernel(Area* area) {
  auto* const words = reinterpret_cast<Words<float>*>(area->inbox);
  constexpr std::size_t count = sizeof(area->inbox) / sizeof(Words<float>);
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    words[i] = nothing<float>();
  }
}

}  // namespace

void all_reduce(const Group& group, void* data, std::size_t count, Dtype dtype, cudaStream_t stream) {
  const auto values = static_cast<std::int64_t>(count);
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    peer_all_reduce_kernel<<<inbox_blocks(values), threads, 0, stream>>>(group, static_cast<T*>(data), values,
                                                                         on_border(data, dtype));
  });
  CHECK_LAUNCH("peer_all_reduce_kernel", values);
}

void all_reduce_and_update(const Group& group, const SummedUpdate& update, cudaStream_t stream) {
  const auto values = static_cast<std::int64_t>(update.count);
  const bool vectorised = on_border(update.gradient) && on_border(update.arrays.parameter) &&
                          on_border(update.arrays.first_moment) && on_border(update.arrays.second_moment) &&
                          on_border(update.working, update.dtype);
  with_dtype(update.dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    peer_update_kernel<Working><<<inbox_blocks(values), threads, 0, stream>>>(group, update, vectorised);
  });
  CHECK_LAUNCH("peer_update_kernel", values);
}

void empty_inboxes(Area* area) {
  empty_inboxes_kernel<<<most_inbox_blocks, threads>>>(area);
  CHECK_LAUNCH("empty_inboxes_kernel", inbox_bytes);
}

}  // namespace breakeven::peer
