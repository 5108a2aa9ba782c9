// SPDX-License-Identifier: Apache-2.0
// A product as its kernel sees it: operands, result, and what becomes of each element, as plain numbers.
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

// Where the blocks of a launch leave their parts of a sum, and count themselves.
struct BlockSums {
  double* parts;
  std::uint32_t* arrived;  // 0 between launches
};

// What a kind does not have is zero. product.h says what each means.
struct EpilogueArguments {
  EpilogueKind kind;
  bool vectorised;  // every quad that is read or written here is on its border
  StepState* state;
  const float* bias;
  DropoutMask mask;      // of relu_backward the scale alone
  const void* operands;  // the target of squared_error, the activation of relu_backward
  std::int64_t operands_ld;
  float gradient_scale;  // of squared_error, with the loss's own
  double loss_scale;
  float* losses;
  std::uint32_t loss_slots;
  BlockSums loss_sums;
  float* bias_gradient;  // of adam null, and C is not stored, unless gradients are kept
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
  bool copies_of_16_bytes;  // every line of A and B starts on a border of 16 bytes
  std::int64_t lda, ldb, ldc;
  int m, n, k;
  EpilogueArguments epilogue;
};

}  // namespace breakeven
