// SPDX-License-Identifier: Apache-2.0
// A product as its kernel sees it: operands, result, and what becomes of each element, as plain numbers.
#pragma once

#include <cstdint>

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

// The fields that a kind does not have are zero. See product.h for what they mean.
struct EpilogueArguments {
  EpilogueKind kind;
  bool vectorised;  // every quad that is read or written beside the operands is on its border
  const float* bias;
  StepState* state;
  // bias_relu_dropout; `kept_scale` of relu_backward too
  std::uint64_t seed;
  std::uint32_t layer;
  std::uint32_t first_sample;
  std::uint32_t threshold;
  float kept_scale;
  // target of squared_error, h of relu_backward
  const void* beside;
  std::int64_t beside_ld;
  // squared_error
  float gradient_scale;
  double loss_scale;
  float* losses;
  std::uint32_t loss_slots;
  double* loss_parts;  // one for each block; see block_loss
  std::uint32_t* loss_arrived;
  // weight_gradient and adam
  float* bias_gradient;
  AdamSettings adam;
  AdamArrays weight;
  void* working_weight;
  AdamArrays bias_arrays;
};

struct GemmProblem {
  const void* a;
  const void* b;
  void* c;
  Element c_element;
  bool copies_16_bytes;  // every line of A and B starts on a 16-byte border
  std::int64_t lda, ldb, ldc;
  int m, n, k;
  EpilogueArguments epilogue;
};

}  // namespace breakeven
