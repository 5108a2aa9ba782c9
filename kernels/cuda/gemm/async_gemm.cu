// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/async_gemm.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/cuda/gemm/async_instances.h"
#include "kernels/cuda/gemm/costs.h"
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

}  // namespace

bool split_k_fits(Precision precision, std::int64_t k, int split_k) {
  const std::int64_t step = step_of(precision);
  const std::int64_t depth = ceil_div(ceil_div(k, split_k), step) * step;
  return split_k == 1 || (split_k - 1) * depth < k;  // no part of k is empty
}

namespace {

// Blocks that a multiprocessor has registers for (async_launch.cuh).
int blocks_a_multiprocessor(int tile, Precision precision) {
  constexpr std::array of_16_bit{3, 3, 2, 2}, of_fp32{3, 3, 2, 1};
  const bool wide = info_of(precision).dtype == Dtype::fp32;
  return (wide ? of_fp32 : of_16_bit)[static_cast<std::size_t>(tile)];
}

const GemmCost& cost_of(Precision precision) {
  constexpr std::array by_precision{&gemm_costs::warp_tiled, &gemm_costs::tensor_core_tf32x3,
                                    &gemm_costs::tensor_core_tf32, &gemm_costs::tensor_core_16_bit,
                                    &gemm_costs::tensor_core_16_bit};
  static_assert(by_precision.size() == precisions.size());
  return *by_precision[index_of(precision)];
}

double steps_of(Precision precision, std::int64_t k, int split_k) {
  return static_cast<double>(ceil_div(ceil_div(k, std::int64_t{split_k}), step_of(precision)));
}

double expected(const Product& p, const GemmVariant& variant, const DeviceInfo& gpu) {
  const GemmShape shape = shape_of(p);
  const int at_once = blocks_a_multiprocessor(variant.tile, p.precision);
  const double rounds =
      rounds_of(tiles_of(variant.tile, shape) * variant.split_k, gpu.multiprocessors, at_once);
  const double steps = steps_of(p.precision, shape.k, variant.split_k);
  return expected_us(cost_of(p.precision), use_of(p), {variant.tile, variant.split_k > 1, steps, rounds},
                     bytes_of(p));
}

// What the blocks of products that share a launch do.
struct GroupWork {
  double longest = 0, block_steps = 0;  // steps along k: of one block, of all together
  std::int64_t blocks = 0;
};
GroupWork work_of(std::span<const Product> products, const AsyncChoice& choice) {
  GroupWork work;
  for (const Product& p : products) {
    const GemmShape shape = shape_of(p);
    const double steps = steps_of(p.precision, shape.k, choice.split_k);
    const std::int64_t blocks = tiles_of(choice.tile, shape) * choice.split_k;
    work.longest = std::max(work.longest, steps);
    work.block_steps += static_cast<double>(blocks) * steps;
    work.blocks += blocks;
  }
  return work;
}

// Products that share a launch fill the GPU together: as long as the longest, or as all steps take.
double expected_of_group(std::span<const Product> products, const AsyncChoice& choice,
                         const DeviceInfo& gpu) {
  const Precision precision = products.front().precision;
  const int at_once = blocks_a_multiprocessor(choice.tile, precision);
  const GroupWork work = work_of(products, choice);
  double bytes = 0;
  for (const Product& p : products) bytes += bytes_of(p);
  const double rounds = rounds_of(work.blocks, gpu.multiprocessors, at_once);
  const double of_all = work.block_steps / (gpu.multiprocessors * at_once);
  const double steps = std::max(work.longest, of_all) / std::max(1.0, rounds);
  return expected_us(cost_of(precision), use_of(products.front()),
                     {choice.tile, choice.split_k > 1, steps, rounds}, bytes);
}

// For how long the blocks of all products would occupy the whole GPU.
double occupied_by_group(std::span<const Product> products, const AsyncChoice& choice,
                         const DeviceInfo& gpu) {
  const Precision precision = products.front().precision;
  const GemmCost& cost = cost_of(precision);
  const TileCost& tile = cost.tiles[static_cast<std::size_t>(choice.tile)];
  const auto use = static_cast<std::size_t>(use_of(products.front()));
  const double of_block = tile.tile * cost.tile_factor[use] + (choice.split_k > 1 ? tile.split : 0);
  const GroupWork work = work_of(products, choice);
  const double us =
      work.block_steps * tile.step * cost.step_factor[use] + static_cast<double>(work.blocks) * of_block;
  return us / (gpu.multiprocessors * blocks_a_multiprocessor(choice.tile, precision));
}

using GroupCost = double (*)(std::span<const Product>, const AsyncChoice&, const DeviceInfo&);

// Before sm_90 only a product alone in its launch can use split-k.
AsyncChoice choose_together(std::span<const Product> products, const DeviceInfo& gpu, GroupCost cost) {
  AsyncChoice cheapest{0, 1};
  double least_us = cost(products, cheapest, gpu);
  for (int tile = 0; tile < static_cast<int>(async_tiles.size()); ++tile) {
    for (int split_k = 1; split_k <= (gpu.compute_capability < 90 ? 1 : max_split_k); split_k *= 2) {
      const bool fits = std::ranges::all_of(
          products, [&](const Product& p) { return split_k_fits(p.precision, shape_of(p).k, split_k); });
      const AsyncChoice choice{tile, split_k};
      const double us = fits ? cost(products, choice, gpu) : least_us;
      if (!(us < least_us)) continue;
      least_us = us;
      cheapest = choice;
    }
  }
  return cheapest;
}

double expected_together(std::span<const Product> products, const DeviceInfo& gpu) {
  return expected_of_group(products, choose_together(products, gpu, expected_of_group), gpu);
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

// As far as steps were measured to become faster. A step of `large` in bf16 with 16,384 rows took 1.71 ms on
// an H200, where it had taken 1.41.
constexpr std::int64_t most_rows_in_background = 8192;

void compute_together(std::span<const Product> products, const DeviceInfo& gpu, CudaStream& stream) {
  std::vector<GemmProblem> problems;
  for (const Product& p : products) problems.push_back(make_problem(p, stream));
  const Product& first = products.front();
  const bool gives_way = first.in_background && shape_of(first).k <= most_rows_in_background;
  const GroupCost cost = gives_way ? occupied_by_group : expected_of_group;
  launch(first, choose_together(products, gpu, cost), problems, gpu.compute_capability, stream);
}

template <GemmKernel kernel>
void add_variants(const Product& p, const DeviceInfo& gpu, std::vector<GemmVariant>& variants) {
  // If the last part to arrive finishes a tile, the order of additions to the loss would vary.
  const bool sums_loss = std::holds_alternative<SquaredErrorLoss>(p.epilogue);
  const int most = gpu.compute_capability < 90 && sums_loss ? 1 : max_split_k;
  for (int tile = 0; tile < static_cast<int>(async_tiles.size()); ++tile) {
    for (int split_k = 1; split_k <= most; split_k *= 2) {
      if (split_k_fits(p.precision, shape_of(p).k, split_k) &&
          has_room_for_sums(p, tiles_of(tile, shape_of(p)) * split_k))
        variants.push_back({kernel, tile, split_k});
    }
  }
}

bool has(const GemmVariant& variant) {
  return variant.tile < static_cast<int>(async_tiles.size()) && is_split_k(variant.split_k, max_split_k);
}

bool always(const Product& /*product*/, const DeviceInfo& /*gpu*/) { return true; }

template <GemmKernel kernel>
constexpr GemmChoices choices{.fits = always,
                              .has = has,
                              .add_variants = add_variants<kernel>,
                              .expected_us = expected,
                              .expected_us_together = expected_together,
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
