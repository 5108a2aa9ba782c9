// SPDX-License-Identifier: Apache-2.0
// A matrix product of a network, what becomes of each of its elements, and who computes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "kernels/matrix.h"
#include "kernels/precision.h"
#include "kernels/step_state.h"

namespace breakeven {

// C[m,n] = A B with A and B stored as the layers store them. x is transposed where the letter is t.
enum class GemmLayout : std::uint8_t {
  nt,  // forward:          Y[batch,out] = X[batch,in]  W[out,in]^T
  nn,  // data gradient:   dX[batch,in]  = dY[batch,out] W[out,in]
  tn,  // weight gradient: dW[out,in]    = dY[batch,out]^T X[batch,in]
};
inline constexpr std::array<std::string_view, 3> gemm_layout_names{"nt", "nn", "tn"};
constexpr std::string_view name_of(GemmLayout layout) {
  return gemm_layout_names[static_cast<std::size_t>(layout)];
}

// Dropout keeps a unit with probability 1 - rate and scales it by 1 / (1 - rate) (Srivastava et al., JMLR 15,
// 2014, section 10, "inverted"). The mask is Philox's word for (seed, step, layer, global sample, unit): kept
// where word >= drop_threshold(rate). `first_sample` is the place of row 0 in the global batch, `first_unit`
// that of column 0 in the whole layer: a multiple of 4, since four units share a call of Philox.
struct Dropout {
  float rate = 0;  // 0 <= rate < 1; 0 leaves every unit as it is
  std::uint64_t seed = 0;
  std::uint32_t layer = 0;
  std::uint32_t first_sample = 0;
  std::uint32_t first_unit = 0;
};
BREAKEVEN_PORTABLE std::uint32_t drop_threshold(float rate) {
  return static_cast<std::uint32_t>(rate * 4294967296.0);
}

struct AdamSettings {  // Kingma and Ba, "Adam", ICLR 2015, algorithm 1
  float learning_rate = 1e-3f;
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

// A tensor's parameters with their moments: three arrays of one shape.
struct AdamArrays {
  float* parameter = nullptr;
  float* first_moment = nullptr;
  float* second_moment = nullptr;
};

// What becomes of an element of C = A B, in the same pass where the kernel can, else in one of its own. Sums
// are fp32 until then; C is stored in its own element.
struct StoreProduct {};

struct AddBias {  // y = c + bias[col]: the output layer
  const float* bias;
  const void* working_bias = nullptr;  // the same in C's element: cuBLASLt cannot fuse any other
};

struct BiasReluDropout {  // h = dropout(relu(c + bias[col])): a hidden layer
  const float* bias;
  Dropout dropout;
  const StepState* state;
  const void* working_bias = nullptr;
};

// The output layer with the mean squared error over the global batch and the outputs: y = c + bias[col] is
// not stored; C becomes the gradient of the loss, times the loss scale, and losses[step % slots] this
// device's part of the loss.
struct SquaredErrorLoss {
  const float* bias;
  ConstMatrix target;
  std::uint32_t global_batch;
  StepState* state;  // told of overflow
  std::span<float> losses;
};

// dz = c * (h != 0) / (1 - rate): the stored activation is zero exactly where ReLU or dropout stopped the
// signal, so no mask is kept.
struct ReluDropoutBackward {
  ConstMatrix h;
  float rate;
  StepState* state;  // told of overflow
};

// dW = c and db[row] = the sum of column `row` of dY, both over the loss scale (layout tn).
struct WeightGradient {
  float* bias_gradient;
  const StepState* state;
};

// The same, and at once Adam's update with it: the gradient need not be stored. The arrays of the weight have
// the leading dimension of C, which is where an unfused kernel leaves the gradient; `bias_gradient` likewise.
// After an overflow nothing is changed.
struct AdamUpdate {
  AdamSettings settings;
  const StepState* state;
  AdamArrays weight;
  void*
      working_weight;  // the copy that products read, same leading dimension; null where that is fp32 itself
  AdamArrays bias;
  float* bias_gradient;
  bool keep_gradient = false;  // store the gradient all the same
};

using Epilogue = std::variant<StoreProduct, AddBias, BiasReluDropout, SquaredErrorLoss, ReluDropoutBackward,
                              WeightGradient, AdamUpdate>;

// The ladder, in reading order, and what it is measured against. Not every kernel computes every precision:
// Device::gemm_kernels.
enum class GemmKernel : std::uint8_t {
  tuned,        // for each shape the one that the table of measured products names
  naive,        // one thread an element of C
  tiled,        // tiles in shared memory, parts in registers
  warp_tiled,   // tiles brought by asynchronous copies, a part of the tile a warp, k divided over a cluster
  tensor_core,  // the same tiles multiplied by mma.sync
  hopper,       // tiles brought by the tensor memory copy engine, multiplied by wgmma
  cublas,
  cublaslt,  // with its own fused epilogues
  openblas,  // on the host
};
inline constexpr std::array<std::string_view, 9> gemm_kernel_names{
    "tuned", "naive", "tiled", "warp-tiled", "tensor-core", "hopper", "cublas", "cublaslt", "openblas"};
constexpr std::string_view name_of(GemmKernel kernel) {
  return gemm_kernel_names[static_cast<std::size_t>(kernel)];
}

constexpr std::optional<GemmKernel> find_gemm_kernel(std::string_view name) {
  for (std::size_t i = 0; i < gemm_kernel_names.size(); ++i) {
    if (gemm_kernel_names[i] == name) return static_cast<GemmKernel>(i);
  }
  return std::nullopt;
}

// A kernel with the choices that it leaves open. `tile` counts the kernel's tiles, `parts` is what k is cut
// into; a choice below 0 is made by rule.
struct GemmVariant {
  GemmKernel kernel = GemmKernel::tuned;
  int tile = -1;
  int parts = -1;
  bool operator==(const GemmVariant&) const = default;
};

// A, B and C as stored: m, n and k follow from them. A and B have the element of the precision; C too, or
// fp32 (always in tn). Any sizes and leading dimensions; C may not overlap A or B.
struct Product {
  GemmLayout layout;
  Precision precision;
  GemmVariant variant;
  ConstMatrix a;
  ConstMatrix b;
  Matrix c;
  Epilogue epilogue = StoreProduct{};
  // A promise: the operation that comes right before on the stream does not write B, nor does one that may
  // still be running when that begins. A kernel may then read B before its turn (launch_order.cuh).
  bool b_is_early = false;
};

struct GemmShape {
  std::int64_t m, n, k;
  bool operator==(const GemmShape&) const = default;
};
inline GemmShape shape_of(const Product& p) {
  return {p.c.rows, p.c.cols, p.layout == GemmLayout::tn ? p.a.rows : p.a.cols};
}

// Throws Failure(wrong_numbers) unless the shapes and elements fit the layout, the precision and the
// epilogue.
void check_product(const Product& product);

}  // namespace breakeven
