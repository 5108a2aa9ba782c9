// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/async_gemm.h"

#include <algorithm>
#include <array>

#include "kernels/cuda/gemm/async_instances.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

using AsyncInstance = void (*)(int tile, const AsyncLaunch& launch);

template <Precision precision>
constexpr std::array<AsyncInstance, 3> async_layouts{launch_async_tile<precision, GemmLayout::nt>,
                                                     launch_async_tile<precision, GemmLayout::nn>,
                                                     launch_async_tile<precision, GemmLayout::tn>};

AsyncInstance async_instance(GemmLayout layout, Precision precision) {
  static constexpr std::array instances{async_layouts<Precision::fp32>, async_layouts<Precision::tf32x3>,
                                        async_layouts<Precision::tf32>, async_layouts<Precision::bf16>,
                                        async_layouts<Precision::fp16>};
  return instances[static_cast<std::size_t>(precision)][static_cast<std::size_t>(layout)];
}

std::int64_t step_of(Precision precision) { return async_step_bytes / bytes_of(info_of(precision).dtype); }

std::int64_t tiles_of(int tile, const GemmShape& shape) {
  const TileExtent extent = async_tiles[static_cast<std::size_t>(tile)];
  return ceil_div(shape.m, extent.m) * ceil_div(shape.n, extent.n);
}

// The fewest parts with which there is a block for each multiprocessor, a step in each at least: parts share
// the work of finishing a tile as well.
int useful_split_k(Precision precision, std::int64_t tiles, std::int64_t k, int multiprocessors) {
  int split_k = 1;
  while (split_k < max_split_k && tiles * split_k < multiprocessors &&
         split_k_fits(precision, k, 2 * split_k)) {
    split_k *= 2;
  }
  return split_k;
}

}  // namespace

bool split_k_fits(Precision precision, std::int64_t k, int split_k) {
  const std::int64_t step = step_of(precision);
  const std::int64_t depth = ceil_div(ceil_div(k, split_k), step) * step;
  return split_k == 1 || (split_k - 1) * depth < k;  // every part has something to do
}

AsyncChoice choose_async(GemmLayout layout, Precision precision, const GemmShape& shape,
                         int multiprocessors) {
  // A weight gradient of few samples reads and writes far more than it computes: small tiles keep more of
  // that in flight.
  constexpr std::int64_t few_samples = 512;
  const bool moves_more = layout == GemmLayout::tn && shape.k <= few_samples;
  for (int tile = static_cast<int>(async_tiles.size()) - 1; tile > 1 && !moves_more; --tile) {
    if (tiles_of(tile, shape) >= multiprocessors) return {tile, 1};
  }
  const int tile = shape.m <= 32 ? 0 : 1;
  return {tile, useful_split_k(precision, tiles_of(tile, shape), shape.k, multiprocessors)};
}

AsyncChoice choose_together(Precision precision, std::span<const GemmShape> shapes, int multiprocessors) {
  constexpr int tile = 1;
  // Up to so many samples a tile is finished before its parts would have met.
  constexpr std::int64_t few_samples = 512;
  std::int64_t tiles = 0;
  std::int64_t least_k = shapes.front().k;
  for (const GemmShape& shape : shapes) {
    tiles += tiles_of(tile, shape);
    least_k = std::min(least_k, shape.k);
  }
  return {tile, least_k <= few_samples ? 1 : useful_split_k(precision, tiles, least_k, multiprocessors)};
}

void gemm_async(GemmLayout layout, Precision precision, const AsyncChoice& choice,
                std::span<const GemmProblem> problems, int compute_capability, CudaStream& stream) {
  async_instance(layout, precision)(choice.tile,
                                    AsyncLaunch{problems, choice.split_k, compute_capability, stream});
}

}  // namespace breakeven
