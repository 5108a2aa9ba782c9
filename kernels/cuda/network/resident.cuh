// SPDX-License-Identifier: Apache-2.0
// A small network that stays on the GPU's multiprocessors while it trains: one cluster of 16 blocks holds its
// whole state in shared memory and registers and makes several steps in one launch.
//
// A block owns as many units of every layer as any other: the rows of W with their moments, and the biases.
// Forward it computes its units for all rows of the batch from all inputs, and sends their values to every
// block. Backward it computes what its units give to the gradient of each input, and sends that to whoever
// owns the input. Gradients of weights need nothing from others.
#pragma once

#include <optional>

#include "kernels/cuda/network/arguments.cuh"

namespace breakeven {

constexpr int resident_blocks = 16;
constexpr int resident_rows = 16;  // of the batch: always computed, also where it has fewer
constexpr int resident_warps = 8;  // that compute: two warp groups, whose threads have many registers
constexpr int resident_threads = 32 * resident_warps;
constexpr int resident_all_threads = resident_threads + 128;  // a third prepares what they will need
constexpr int resident_most_units = 32;                       // of a layer in a block
constexpr int resident_most_steps = 20;                       // in a launch
// Of weights, at most one a thread. With more of them three launches, which spread the updates over the whole
// GPU, are faster: measured on an H200 with 106 to 640 tiles a block, at 1 to 16 rows.
constexpr int resident_most_tiles = 160;

// How a layer is divided, and where it lies in every block's shared memory, in floats from its beginning.
struct ResidentLayer {
  int units;          // of a block, a multiple of 4; those beyond the layer's last are zero
  int owners;         // blocks that have any
  int width_log2;     // of the quads of units, rounded up to a power of two
  int quads_inverse;  // n / quads = n * quads_inverse >> 16
  int stride;         // from row to row of the input and of W: 8 more than a multiple of 32, so that four
                      // neighbouring rows meet different banks
  int lanes_log2;     // of the threads that share a slice of the inputs forward
  int slices;
  int first_tile;  // of WeightTile, over all layers
  int tiles;
  int input_at;     // [rows][stride]
  int weight_at;    // [units][stride], in the order of place_of_unit
  int bias_at;      // [3][units]: with its moments
  int outputs_at;   // [rows][units], of this block: activations, and backward dZ in their place
  int factors_at;   // [rows][units], of dropout
  int received_at;  // [owners of the next layer][rows][units]: their parts of the output's gradient
};

struct ResidentPlan {
  ResidentLayer layer[most_layers];
  int rows_at[2];    // the batch's rows of this step and of the next; forward sums use the next one's place
  int target_at[2];  // [rows][units of the last layer]
  int floats;
};

struct ResidentArguments {
  NetworkArguments network;
  ResidentPlan plan;
  int steps;
};

// None where the network is too large for this to be the fastest way, or the batch.
std::optional<ResidentPlan> plan_resident(const NetworkArguments& net, int shared_bytes);

// Whether the GPU has 16 multiprocessors together for it.
bool can_launch_resident(const ResidentPlan& plan);
void launch_resident(const ResidentArguments& arguments, CudaStream& stream);

}  // namespace breakeven
