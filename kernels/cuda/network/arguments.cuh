// SPDX-License-Identifier: Apache-2.0
// A small network's step as its three kernels see it: plain numbers, passed by value.
//
//   first_layer     the batch's rows are gathered, layer 0 forward            units x rows over all blocks
//   cluster_layers  layers 1... forward, the loss, all data gradients         8 or 16 rows a cluster
//     or later_layers, before sm_90                                           one or two rows a block
//   update_layers   all weight gradients with Adam's update in them           32 x 64 weights a block
//
// In TF32 the batch and the values of layers are stored as operands, rounded: nobody does but multiply them.
//
// Each starts while the one before it is still running and does what needs none of its results; all of them
// may rely on the results of every earlier kernel but that one. A step's last kernel is the next step's
// predecessor.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/dropout.cuh"
#include "kernels/network_step.h"

namespace breakeven {

constexpr int most_layers = 8;

// W is [out, in]; all leading dimensions are multiples of 8, and all rows start on a border of 16 bytes.
struct LayerArguments {
  int in, out;
  int in_ld;   // of the input, of W, of its moments and of its gradient
  int out_ld;  // of the output and its gradient
  float* input;
  float* output;           // of the last layer not stored
  float* output_gradient;  // of what ReLU was given: dZ
  AdamArrays weight, bias;
  float* weight_gradient;  // null unless gradients are kept; so is the next
  float* bias_gradient;
};

struct NetworkArguments {
  LayerArguments layer[most_layers];
  int layers;
  int rows;
  BatchSource source;
  float* target;
  int target_ld;
  DropoutMask mask;  // of layer 0; another layer's differs in its number
  StepState* state;
  StepNotes* notes;
  AdamSettings adam;
  float gradient_scale;  // 2 / (global batch x outputs)
  double loss_scale;     // 1 / (global batch x outputs)
  float* losses;
  std::uint64_t* step_ends;  // null, or as many as losses: when each step ended, in nanoseconds
  std::uint32_t loss_slots;
  double* loss_parts;  // [loss_part_count], written by the second kernel, added by the third
  int loss_part_count;
};

// How later_layers divides the rows, and shared memory: places in floats from its beginning.
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
  bool is_tf32;
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
