// SPDX-License-Identifier: Apache-2.0
// The kernel arguments of a product: operands, result and epilogue as plain numbers.
#pragma once

#include <cstdint>

#include "kernels/cuda/dropout.cuh"
#include "kernels/product.h"

namespace breakeven {

enum class EpilogueKind : std::uint8_t {
  store,
  add_bias,
  bias_relu_dropout,
  squared_error,
  relu_backward,
  weight_gradient,
  adam
};

// Where the blocks of a launch store their partial sums and count themselves.
struct BlockSums {
  double* parts;
  std::uint32_t* arrived;  // 0 between launches
};

// Fields that an epilogue does not use are zero. product.h defines them.
struct EpilogueArguments {
  EpilogueKind kind;
  bool vectorised;  // all quads that are read or written here are aligned
  StepState* state;
  const float* bias;
  DropoutMask mask;      // relu_backward uses its scale only
  const void* operands;  // the target of squared_error, the activation of relu_backward
  std::int64_t operands_ld;
  float gradient_scale;  // of squared_error, loss scale included
  double loss_scale;
  float* losses;
  std::uint32_t loss_slots;
  BlockSums loss_sums;
  float* bias_gradient;  // null for adam, which then does not store C, unless gradients are kept
  AdamSettings adam;
  AdamArrays weight;
  void* working_weight;
  AdamArrays bias_arrays;
};

struct GemmProblem {
  const void* a;
  const void* b;
  void* c;
  Dtype dtype;  // of A and B
  Dtype c_dtype;
  bool b_is_early;          // product.h
  bool copies_of_16_bytes;  // all lines of A and B are aligned to 16 bytes
  bool sums_rows;           // for the gradient of a bias, if the epilogue has one
  std::int64_t lda, ldb, ldc;
  int m, n, k;
  EpilogueArguments epilogue;
};

}  // namespace breakeven
