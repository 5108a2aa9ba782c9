// SPDX-License-Identifier: Apache-2.0
// A matrix product of a network, its epilogue, and the kernel that computes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "src/core/gemm_kernel.h"
#include "src/core/matrix.h"
#include "src/core/model/dropout.h"
#include "src/core/model/optimizer.h"
#include "src/core/precision.h"
#include "src/core/step_state.h"

namespace breakeven {

// C[m,n] = A B with A and B as the layers store them; t means that the operand is transposed.
enum class GemmLayout : std::uint8_t {
  nt,  // forward:          Y[batch,out] = X[batch,in]  W[out,in]^T
  nn,  // data gradient:   dX[batch,in]  = dY[batch,out] W[out,in]
  tn,  // weight gradient: dW[out,in]    = dY[batch,out]^T X[batch,in]
};
inline constexpr std::array gemm_layouts{GemmLayout::nt, GemmLayout::nn, GemmLayout::tn};
inline constexpr std::array<std::string_view, gemm_layouts.size()> gemm_layout_names{"nt", "nn", "tn"};
constexpr std::string_view name_of(GemmLayout layout) {
  return gemm_layout_names[static_cast<std::size_t>(layout)];
}

// A tensor's parameters with Adam's moments: three arrays of the same shape.
struct AdamArrays {
  float* parameter = nullptr;
  float* first_moment = nullptr;
  float* second_moment = nullptr;
};

// Epilogues: what is done with each value c of A B, fused into the kernel if it can, otherwise in a separate
// pass. Values are fp32 until then; C is stored in its own dtype.
struct StoreProduct {};

struct AddBias {  // y = c + bias[col]: the output layer
  const float* bias;
  const void* working_bias = nullptr;  // the same in C's dtype: cuBLASLt cannot fuse any other
};

struct BiasReluDropout {  // h = dropout(relu(c + bias[col])): a hidden layer
  const float* bias;
  Dropout dropout;
  StepState* state;  // overflow is set here
  const void* working_bias = nullptr;
};

// The output layer with the mean squared error over the global batch and the outputs. y = c + bias[col] is
// not stored. C becomes the gradient of the loss, times the loss scale; losses[step % losses.size()] becomes
// this device's share of the loss.
struct SquaredErrorLoss {
  const float* bias;
  ConstMatrix target;
  std::uint32_t global_batch;
  StepState* state;  // overflow is set here
  std::span<float> losses;
};

// dz = c * (h != 0) / (1 - rate): the stored activation is zero exactly where ReLU or dropout stopped the
// signal, so no mask is kept.
struct ReluDropoutBackward {
  ConstMatrix h;
  float rate;
  StepState* state;  // overflow is set here
};

// dW = c and db[row] = the sum of column `row` of dY, both over the loss scale (layout tn).
struct WeightGradient {
  float* bias_gradient;
  const StepState* state;
};

// WeightGradient fused with Adam's update; the gradient need not be stored. The weight's arrays have the
// leading dimension of C. A kernel without fusion stores the gradients in C and `bias_gradient`. After an
// overflow nothing changes.
struct AdamUpdate {
  AdamSettings settings;
  const StepState* state;
  AdamArrays weight;
  void* working_weight;  // the copy that products read, same leading dimension; null for fp32
  AdamArrays bias;
  float* bias_gradient;
  bool keep_gradient = false;  // store the gradient as well
};

using Epilogue = std::variant<StoreProduct, AddBias, BiasReluDropout, SquaredErrorLoss, ReluDropoutBackward,
                              WeightGradient, AdamUpdate>;

// A kernel with its tuning choices: `tile` is the index of one of its tiles, `split_k` the number of parts of
// k. A negative value means that the kernel's own rule chooses.
struct GemmVariant {
  GemmKernel kernel = GemmKernel::tuned;
  int tile = -1;
  int split_k = -1;
  bool operator==(const GemmVariant&) const = default;
};

// A, B and C as stored: m, n and k follow from them. A and B have the dtype of the precision; C too, or
// fp32 (always in tn). Any sizes and leading dimensions; C may not overlap A or B.
struct Product {
  GemmLayout layout;
  Precision precision;
  GemmVariant variant;
  ConstMatrix a;
  ConstMatrix b;
  Matrix c;
  Epilogue epilogue = StoreProduct{};
  // A promise of the caller: neither the previous operation on the stream nor one that may still run when
  // that begins writes B. A kernel may then read B early, under programmatic dependent launch
  // (launch_order.cuh).
  bool b_is_early = false;
  // A hint for products that share a launch: others run beside them, so what counts is how much of the GPU
  // they take, not how long.
  bool in_background = false;
};

struct GemmShape {
  std::int64_t m, n, k;
  bool operator==(const GemmShape&) const = default;
};
inline GemmShape shape_of(const Product& p) {
  return {p.c.rows, p.c.cols, p.layout == GemmLayout::tn ? p.a.rows : p.a.cols};
}

// Throws Failure(wrong_numbers) unless the shapes and dtypes fit the layout, the precision and the
// epilogue.
void check_product(const Product& product);

}  // namespace breakeven
