// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/network/cluster_plan.cuh"

#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/network/places.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// Whole steps of k, in 16, 48, 80... floats: odd multiples of half the banks.
int line_of(int width) { return ceil_div(ceil_div(width, 16) - 1, 2) * 32 + 16; }

int log2_above(int value) {
  int log2 = 0;
  while (1 << log2 < value) ++log2;
  return log2;
}

// Divides the outputs over the blocks, then tiles of outputs and groups of rows over the warps of a block;
// remaining warps split k.
void divide(ClusterProduct& product, const ClusterPlan& plan, int tile) {
  product.line = line_of(product.k);
  product.steps = ceil_div(product.k, product_step);
  product.slice = ceil_div(ceil_div(product.outputs, plan.blocks), 4) * 4;
  product.slice_quads_log2 = log2_above(product.slice / 4);
  product.sums_line = ceil_div(product.slice, 16) * 16 + 4;  // four rows begin in different banks
  const int tasks = ceil_div(product.slice, tile) * (plan.rows / row_group);
  while ((tasks << (product.slices_log2 + 1)) <= cluster_warps && 1 << product.slices_log2 < product.steps) {
    ++product.slices_log2;
  }
  product.slice_steps = ceil_div(product.steps, 1 << product.slices_log2);
}

ClusterProduct forward_product(const NetworkArguments& net, int l) {
  const LayerArguments& layer = net.layer[l];
  const bool is_last = l + 1 == net.layers;
  ClusterProduct product{};
  product.kind = is_last ? ClusterProductKind::output : ClusterProductKind::hidden;
  product.k = layer.in;
  product.outputs = layer.out;
  product.layer = l;
  product.weight = layer.weight.parameter;
  product.weight_ld = layer.in_ld;
  product.bias = layer.bias.parameter;
  product.result = is_last ? layer.output_gradient : layer.output;
  product.result_ld = layer.out_ld;
  return product;
}

ClusterProduct gradient_product(const NetworkArguments& net, int l) {
  const LayerArguments& layer = net.layer[l];
  ClusterProduct product{};
  product.kind = ClusterProductKind::gradient;
  product.k = layer.out;
  product.outputs = layer.in;
  product.layer = l;
  product.weight = layer.weight.parameter;
  product.weight_ld = layer.in_ld;
  product.result = net.layer[l - 1].output_gradient;
  product.result_ld = layer.in_ld;
  return product;
}

void place_products(ClusterPlan& plan) {
  Places places;
  int sums = 0;
  for (int i = 0; i < plan.products; ++i) {
    ClusterProduct& product = plan.product[i];
    product.matrix_at = places.take(product.slice * product.line);
    if (i + 1 == plan.products / 2) plan.rows_of_weights = places.taken();
    plan.has_padding |= product.k % product_step != 0;
  }
  for (int i = 0; i < plan.products; ++i) {
    ClusterProduct& product = plan.product[i];
    product.values_at = places.take(plan.rows * product.line);
    if (product.kind != ClusterProductKind::gradient) {
      product.bias_at = places.take(product.slice);
      product.factor_at = places.take(plan.rows * product.slice);
      product.factor_line = product.slice;
    } else {  // the values of the same layer's forward product are those whose gradient this product computes
      const ClusterProduct& forward = plan.product[plan.products - 1 - i];
      product.factor_at = forward.values_at;
      product.factor_line = forward.line;
    }
    sums = std::max(sums, plan.rows * product.sums_line << product.slices_log2);
  }
  for (int i = 0; i + 1 < plan.products; ++i) {
    plan.product[i].send_at = plan.product[i + 1].values_at;
    plan.product[i].send_line = plan.product[i + 1].line;
  }
  // A warp may start the next product while another still reads the sums of this one.
  const int sums_at[2] = {places.take(sums), places.take(sums)};
  for (int i = 0; i < plan.products; ++i) plan.product[i].sums_at = sums_at[i % 2];
  plan.floats = places.taken();
}

ClusterPlan plan_of(const NetworkArguments& net, int blocks, int rows, int tile) {
  ClusterPlan plan{};
  plan.blocks = blocks;
  plan.rows = rows;
  plan.rows_log2 = log2_above(rows);
  plan.clusters = ceil_div(net.rows, rows);
  plan.loss_parts = plan.clusters * blocks * cluster_warps;
  for (int l = 1; l < net.layers; ++l) plan.product[plan.products++] = forward_product(net, l);
  for (int l = net.layers - 1; l > 0; --l) plan.product[plan.products++] = gradient_product(net, l);
  for (int i = 0; i < plan.products; ++i) divide(plan.product[i], plan, tile);
  place_products(plan);
  return plan;
}

// Each thread has one quad of a product's outputs at most, and each warp one tile.
bool has_few_outputs(const ClusterPlan& plan, int tile) {
  return std::all_of(plan.product, plan.product + plan.products, [&](const ClusterProduct& product) {
    return plan.rows << product.slice_quads_log2 <= 32 * cluster_warps &&
           ceil_div(product.slice, tile) * (plan.rows / row_group) <= cluster_warps;
  });
}

}  // namespace

std::optional<ClusterPlan> plan_clusters(const NetworkLaunch& launch) {
  int shared_bytes = 0;
  int gpu = 0;
  CUDA_CALL(cudaGetDevice(&gpu));
  CUDA_CALL(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu));
  const int tile = launch.precision == Precision::fp32 ? fp32_outputs : tensor_outputs;
  struct Choice {
    int blocks, rows;
    bool must_run_at_once;
  };
  constexpr Choice choices[] = {{16, row_group, true}, {8, 2 * row_group, true}, {8, row_group, false}};
  for (const Choice& choice : choices) {
    const ClusterPlan plan = plan_of(launch.network, choice.blocks, choice.rows, tile);
    constexpr int own_bytes = 512;  // the kernel's other shared memory
    if (plan.floats * static_cast<int>(sizeof(float)) + own_bytes > shared_bytes) continue;
    if (!has_few_outputs(plan, tile)) continue;
    const bool has_room = 2 * plan.clusters * plan.blocks <= launch.multiprocessors;
    if (choice.must_run_at_once && !has_room) continue;
    if (most_clusters(launch, plan) >= (choice.must_run_at_once ? plan.clusters : 1)) return plan;
  }
  return std::nullopt;
}

}  // namespace breakeven
