// SPDX-License-Identifier: Apache-2.0
// How a cluster divides the layers after the first among its blocks: planned by the host, used by
// cluster_layers.cuh.
#pragma once

#include <optional>

#include "kernels/cuda/network/arguments.cuh"

namespace breakeven {

constexpr int cluster_warps = 8;    // of a block that compute
constexpr int cluster_helpers = 3;  // warps that load weights and draw random numbers ahead
constexpr int row_group_log2 = 3;   // rows of a product that a warp computes at a time
constexpr int row_group = 1 << row_group_log2;
constexpr int product_step = 16;    // along k, in one step of a product
constexpr int fp32_outputs = 8;     // of a product that a warp computes at a time
constexpr int tensor_outputs = 16;  // the same by tensor cores
constexpr int most_products = 2 * (most_layers - 1);

enum class ClusterProductKind : int { hidden, output, gradient };

// One product of the cluster: a layer's forward pass, or the gradient of a layer's input. Each block computes
// a slice of the outputs and sends them to all blocks, as values of the next product. Offsets are in floats
// within shared memory. A product's other inputs are read before the values arrive.
struct alignas(32) ClusterProduct {
  ClusterProductKind kind;
  int k;
  int outputs;
  int matrix_at;    // [slice][line]: the block's rows of W, or its columns
  int values_at;    // [rows][line]
  int line;         // floats from row to row of both
  int steps;        // along k
  int slices_log2;  // split-k over warps
  int slice_steps;
  int slice;             // outputs per block, a multiple of 4; the last blocks may have fewer or none
  int slice_quads_log2;  // slice <= 4 << slice_quads_log2
  int sums_at;           // [slices][rows][sums_line]
  int sums_line;
  int bias_at;    // forward: [slice]
  int factor_at;  // forward: [rows][slice] of dropout, or of the target;
                  // backward: [rows][factor_line] of the forward outputs, where ReLU passed them
  int factor_line;
  int send_at;  // where the next product expects them as values
  int send_line;
  int layer;  // of W
  int weight_ld;
  int result_ld;
  const float* weight;
  const float* bias;
  void* result;  // in global memory
};

struct ClusterPlan {
  int blocks;  // of a cluster
  int rows;    // of the batch per cluster: one or two groups
  int rows_log2;
  int clusters;
  int loss_parts;
  int products;
  ClusterProduct product[most_products];
  int rows_of_weights;  // [0, rows_of_weights) of shared memory holds the matrices of the forward products
  bool has_padding;     // some k is not a multiple of a step
  int floats;
};

// The plan for the largest clusters that can run, or none if the GPU has no room for one.
std::optional<ClusterPlan> plan_clusters(const NetworkLaunch& launch);

// The number of clusters that run at once; 0 if one is too large.
int most_clusters(const NetworkLaunch& launch, const ClusterPlan& plan);

void launch_cluster_layers(const NetworkLaunch& launch, const ClusterPlan& plan);

}  // namespace breakeven
