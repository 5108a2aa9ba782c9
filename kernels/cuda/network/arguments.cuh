// SPDX-License-Identifier: Apache-2.0
// The arguments of the three kernels of a small network's step, passed by value.
//
//   first_layer     the batch's rows are gathered, layer 0 forward            units x rows over all blocks
//   cluster_layers  layers 1... forward, the loss, all data gradients         8 or 16 rows a cluster
//     or later_layers, before sm_90                                           one or two rows a block
//   update_layers   all weight gradients with Adam's update in them           32 x 64 weights a block
//
// operands.cuh says how the batch, the activations and their gradients are rounded and stored.
//
// Each starts while the previous one is still running (programmatic dependent launch) and first does what
// needs none of its results. Results of all earlier kernels are complete. A step's last kernel is followed by
// the next step's first.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/dropout.cuh"
#include "kernels/network_step.h"

namespace breakeven {

constexpr int most_layers = 8;

// W is [out, in]; leading dimensions are multiples of 8, and rows are aligned to 16 bytes.
struct LayerArguments {
  int in, out;
  int in_ld;   // of the input, of W, of its moments and of its gradient
  int out_ld;  // of the output and its gradient
  // In the precision's dtype.
  void* input;
  void* output;           // null for the last layer
  void* output_gradient;  // dZ, the gradient of ReLU's input
  AdamArrays weight, bias;
  void* working_weight;    // null unless the precision has 16 bits
  float* weight_gradient;  // null unless gradients are kept, as is the next
  float* bias_gradient;
};

struct NetworkArguments {
  LayerArguments layer[most_layers];
  int layers;
  int rows;
  BatchSource source;
  float* target;
  int target_ld;
  DropoutMask mask;  // of layer 0; other layers differ only in the layer's number
  StepState* state;
  StepNotes* notes;
  AdamSettings adam;
  float gradient_scale;  // 2 / (global batch x outputs)
  double loss_scale;     // 1 / (global batch x outputs)
  float* losses;
  std::uint64_t* step_ends;  // [step], or null: when each step ended, in nanoseconds
  std::uint32_t loss_slots;
  double* loss_parts;  // [loss_part_count], written by the second kernel, added by the third
  int loss_part_count;
};

// How later_layers divides the rows and shared memory; offsets are in floats.
struct LaterLayersPlan {
  int rows_a_block;
  int blocks;  // that compute; one more draws the next batch
  int weight_at[most_layers], bias_at[most_layers];
  int values_at[most_layers +
                1];  // [rows_a_block][in_ld] of a layer's input, last the gradient of the output
  int values_end;
  int factors_at[most_layers];  // of the dropout of a layer's output
  int target_at;
  int sums_at;
  int floats;
};

struct NetworkLaunch {
  const NetworkArguments& network;
  Precision precision;
  int multiprocessors;
  CudaStream& stream;
};

constexpr int most_first_inputs = 1024;
constexpr int later_threads = 256;
constexpr int later_warps = later_threads / 32;

void launch_first_layer(const NetworkLaunch& launch);
void launch_later_layers(const NetworkLaunch& launch, const LaterLayersPlan& plan);
void launch_update_layers(const NetworkLaunch& launch);

}  // namespace breakeven
