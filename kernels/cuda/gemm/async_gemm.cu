// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/async_gemm.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/cuda/gemm/async_instances.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/cuda/gemm/make_problem.h"
#include "kernels/cuda/gemm/problem.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

using AsyncInstance = void (*)(int tile, const AsyncLaunch& launch);

template <Precision precision>
constexpr std::array<AsyncInstance, 3> async_layouts{launch_async_tile<precision, GemmLayout::nt>,
                                                     launch_async_tile<precision, GemmLayout::nn>,
                                                     launch_async_tile<precision, GemmLayout::tn>};

template <std::size_t... precision>
constexpr auto make_instances(std::index_sequence<precision...>) {
  return std::array{async_layouts<static_cast<Precision>(precision)>...};
}

AsyncInstance async_instance(GemmLayout layout, Precision precision) {
  static constexpr auto instances = make_instances(std::make_index_sequence<precisions.size()>());
  return instances[index_of(precision)][static_cast<std::size_t>(layout)];
}

std::int64_t step_of(Precision precision) { return async_step_bytes / bytes_of(info_of(precision).dtype); }

std::int64_t tiles_of(int tile, const GemmShape& shape) {
  const TileExtent extent = async_tiles[static_cast<std::size_t>(tile)];
  return ceil_div(shape.m, extent.m) * ceil_div(shape.n, extent.n);
}

// The smallest split-k that gives each multiprocessor a block, with at least one step per part. Parts also
// share the epilogue of a tile.
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
  return split_k == 1 || (split_k - 1) * depth < k;  // no part of k is empty
}

namespace {

// The largest tile that, with split-k, still gives each multiprocessor a block: larger tiles read less memory
// per multiply-add, but idle multiprocessors cost more.
AsyncChoice choose_async(GemmLayout layout, Precision precision, const GemmShape& shape,
                         int multiprocessors) {
  // A weight gradient of few samples is memory-bound: small tiles keep more bytes in flight.
  constexpr std::int64_t few_samples = 512;
  const bool moves_more = layout == GemmLayout::tn && shape.k <= few_samples;
  for (int tile = static_cast<int>(async_tiles.size()) - 1; tile > 1 && !moves_more; --tile) {
    if (tiles_of(tile, shape) >= multiprocessors) return {tile, 1};
  }
  const int tile = shape.m <= 32 ? 0 : 1;
  return {tile, useful_split_k(precision, tiles_of(tile, shape), shape.k, multiprocessors)};
}

// The same for products that share a launch and fill the GPU together.
AsyncChoice choose_together(Precision precision, std::span<const GemmShape> shapes, int multiprocessors) {
  constexpr int tile = 1;
  // Up to this many samples a tile is computed faster than split-k could add its parts.
  constexpr std::int64_t few_samples = 512;
  std::int64_t tiles = 0;
  std::int64_t least_k = shapes.front().k;
  for (const GemmShape& shape : shapes) {
    tiles += tiles_of(tile, shape);
    least_k = std::min(least_k, shape.k);
  }
  return {tile, least_k <= few_samples ? 1 : useful_split_k(precision, tiles, least_k, multiprocessors)};
}

// One launch. All problems are of one layout and precision; more than one only in layout tn.
void launch(const Product& first, const AsyncChoice& choice, std::span<const GemmProblem> problems,
            int compute_capability, CudaStream& stream) {
  const AsyncInstance instance = async_instance(first.layout, first.precision);
  instance(choice.tile, AsyncLaunch{problems, choice.split_k, compute_capability, stream});
}

void compute(const GemmCall& call) {
  const GemmProblem problem = make_problem(call.product, call.stream);
  launch(call.product, {call.tile, call.split_k}, {&problem, 1}, call.device.info().compute_capability,
         call.stream);
}

bool compute_together(std::span<const Product> products, const DeviceInfo& gpu, CudaStream& stream) {
  if (products.size() > most_in_a_group) return false;
  std::vector<GemmProblem> problems;
  std::vector<GemmShape> shapes;
  for (const Product& p : products) {
    problems.push_back(make_problem(p, stream));
    shapes.push_back(shape_of(p));
  }
  const AsyncChoice choice = choose_together(products.front().precision, shapes, gpu.multiprocessors);
  // Before sm_90 only a product alone in its launch can use split-k.
  if (choice.split_k > 1 && gpu.compute_capability < 90) return false;
  launch(products.front(), choice, problems, gpu.compute_capability, stream);
  return true;
}

void settle(const Product& p, const DeviceInfo& gpu, GemmVariant& variant) {
  const AsyncChoice rule = choose_async(p.layout, p.precision, shape_of(p), gpu.multiprocessors);
  if (variant.tile < 0) variant.tile = rule.tile;
  if (variant.split_k < 0) variant.split_k = variant.tile == rule.tile ? rule.split_k : 1;
  // If the last part to arrive finishes a tile, the order of additions to the loss would vary.
  const bool sums_loss = std::holds_alternative<SquaredErrorLoss>(p.epilogue);
  if (gpu.compute_capability < 90 && sums_loss) variant.split_k = 1;
}

template <GemmKernel kernel>
void add_variants(const Product& p, const DeviceInfo& /*gpu*/, std::vector<GemmVariant>& variants) {
  for (int tile = 0; tile < static_cast<int>(async_tiles.size()); ++tile) {
    for (int split_k = 1; split_k <= max_split_k; split_k *= 2) {
      if (split_k_fits(p.precision, shape_of(p).k, split_k)) variants.push_back({kernel, tile, split_k});
    }
  }
}

bool has(const GemmVariant& variant) {
  return variant.tile < static_cast<int>(async_tiles.size()) && is_split_k(variant.split_k, max_split_k);
}

bool always(const Product& /*product*/, const DeviceInfo& /*gpu*/) { return true; }

template <GemmKernel kernel>
constexpr GemmChoices choices{.fits = always,
                              .pays = always,
                              .has = has,
                              .settle = settle,
                              .add_variants = add_variants<kernel>,
                              .compute_together = compute_together};

}  // namespace

const GemmCode gemm_codes::warp_tiled{
    .computes = [](Precision precision, GemmLayout,
                   const DeviceInfo&) { return precision == Precision::fp32; },
    .compute = compute,
    .fuses = fuses_all,
    .choices = &choices<GemmKernel::warp_tiled>};

const GemmCode gemm_codes::tensor_core{
    .computes = [](Precision precision, GemmLayout,
                   const DeviceInfo&) { return precision != Precision::fp32; },
    .compute = compute,
    .fuses = fuses_all,
    .choices = &choices<GemmKernel::tensor_core>};

}  // namespace breakeven
