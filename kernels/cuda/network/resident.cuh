// SPDX-License-Identifier: Apache-2.0
// A small network that stays on the multiprocessors while it trains: one cluster of 16 blocks holds its whole
// state in shared memory and registers, and runs several steps in one launch.
//
// Units are divided evenly: a block owns its units' rows of W with their moments, and their biases. In the
// forward pass it computes its units for all rows of the batch and sends their values to all blocks. In the
// backward pass it computes its units' contribution to the gradient of each input and sends it to the input's
// owner. Weight gradients need no exchange.
#pragma once

#include <optional>

#include "kernels/cuda/network/arguments.cuh"

namespace breakeven {

constexpr int resident_blocks = 16;
constexpr int resident_rows = 16;  // of the batch: always computed, even if it has fewer
constexpr int resident_warps = 8;  // compute warps: two warp groups, whose threads have many registers
constexpr int resident_threads = 32 * resident_warps;
constexpr int resident_all_threads = resident_threads + 128;  // a third warp group prepares their data
constexpr int resident_most_units = 32;                       // of a layer in a block
constexpr int resident_most_steps = 20;                       // in a launch
// Tiles of weights, at most one per thread. With more tiles three launches, which spread the updates over the
// whole GPU, are faster: measured on an H200 with 106 to 640 tiles per block, at 1 to 16 rows.
constexpr int resident_most_tiles = 160;

// How a layer is divided, and its offsets in each block's shared memory, in floats.
struct ResidentLayer {
  int units;          // per block, a multiple of 4; those after the layer's last are zero
  int owners;         // blocks that have any
  int width_log2;     // of the quads of units, rounded up to a power of two
  int quads_inverse;  // n / quads = n * quads_inverse >> 16
  int stride;         // from row to row of the input and of W: 8 more than a multiple of 32, so that four
                      // neighbouring rows meet different banks
  int lanes_log2;     // of the threads that share a slice of the inputs in the forward pass
  int slices;
  int first_tile;  // of WeightTile, over all layers
  int tiles;
  int input_at;     // [rows][stride]
  int weight_at;    // [units][stride], in the order of place_of_unit
  int bias_at;      // [3][units]: the bias and its moments
  int outputs_at;   // [rows][units] of this block: activations, later overwritten by dZ
  int factors_at;   // [rows][units], of dropout
  int received_at;  // [owners of the next layer][rows][units]: their contributions to the output's gradient
};

struct ResidentPlan {
  ResidentLayer layer[most_layers];
  int rows_at[2];    // the rows of this step and of the next; forward sums overlay the next one's
  int target_at[2];  // [rows][units of the last layer]
  int floats;
};

struct ResidentArguments {
  NetworkArguments network;
  ResidentPlan plan;
  int steps;
};

// None if the network or the batch is too large for this to be the fastest.
std::optional<ResidentPlan> plan_resident(const NetworkArguments& net, int shared_bytes);

// Whether the GPU can run a cluster of 16 blocks.
bool can_launch_resident(const ResidentPlan& plan);
void launch_resident(const ResidentArguments& arguments, CudaStream& stream);

}  // namespace breakeven
