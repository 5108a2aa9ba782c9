// SPDX-License-Identifier: Apache-2.0
// How a cluster of thread blocks divides the layers after the first among its blocks: what the host lays out
// and cluster_layers.cuh works by.
#pragma once

#include <optional>

#include "kernels/cuda/network/arguments.cuh"

namespace breakeven {

constexpr int cluster_warps = 8;    // of a block that compute
constexpr int cluster_helpers = 3;  // warps that bring and draw what is not needed at once
constexpr int row_group_log2 = 3;   // rows of a product that a warp computes at a time
constexpr int row_group = 1 << row_group_log2;
constexpr int product_step = 16;  // along k, in one step of a product
constexpr int fp32_outputs = 8;   // of a product that a warp computes at a time, in each precision
constexpr int tf32_outputs = 16;
constexpr int most_products = 2 * (most_layers - 1);

enum class ClusterProductKind : int { hidden, output, gradient };

// One product of the cluster: a layer forward, or the gradient of a layer's input. Every block has a slice of
// its outputs, and sends their values to all blocks, as k of the next product. Places are in floats from the
// beginning of shared memory. All that a product needs lies together: it is read before the values are there.
struct alignas(32) ClusterProduct {
  ClusterProductKind kind;
  int k;
  int outputs;
  int matrix_at;    // [slice][line]: the block's rows of W, or its columns
  int values_at;    // [rows][line]
  int line;         // floats from row to row of both
  int steps;        // along k
  int slices_log2;  // parts of k, each for other warps
  int slice_steps;
  int slice;             // outputs of a block, a multiple of 4; the last blocks may have fewer, or none
  int slice_quads_log2;  // slice <= 4 << slice_quads_log2
  int sums_at;           // [slices][rows][sums_line]
  int sums_line;
  int bias_at;    // forward: [slice]
  int factor_at;  // forward: [rows][slice] of dropout, or of the target;
                  // gradient: [rows][factor_line] of the outputs forward, where ReLU has let them pass
  int factor_line;
  int send_at;  // where the outputs are the next product's values
  int send_line;
  int layer;  // of W
  int weight_ld;
  int result_ld;
  const float* weight;
  const float* bias;
  float* result;  // in global memory
};

struct ClusterPlan {
  int blocks;  // of a cluster
  int rows;    // of the batch, of a cluster: one group or two
  int rows_log2;
  int clusters;
  int loss_parts;
  int products;
  ClusterProduct product[most_products];
  int rows_of_weights;  // [0, rows_of_weights) of shared memory is the matrices of the products forward
  bool has_padding;     // some k is no multiple of a step
  int floats;
};

// The plan for the largest clusters that run at once, or none where the GPU has no room for one.
std::optional<ClusterPlan> plan_clusters(const NetworkLaunch& launch);

// How many clusters run at once; 0 where one is too large.
int most_clusters(const NetworkLaunch& launch, const ClusterPlan& plan);

void launch_cluster_layers(const NetworkLaunch& launch, const ClusterPlan& plan);

}  // namespace breakeven
