// SPDX-License-Identifier: Apache-2.0
// What a GEMM kernel's file tells the CUDA device (gemm.cpp): one GemmCode per row of src/core/gemm_kernel.h.
#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

// A checked product whose variant is fully chosen.
struct GemmCall {
  CudaDevice& device;
  const Product& product;
  int tile;
  int split_k;
  CudaStream& stream;
};

// For kernels with a choice of tiles and split-k.
struct GemmChoices {
  // Whether this kernel can compute the product. If not, the kernel expected to be the fastest does.
  bool (*fits)(const Product& product, const DeviceInfo& gpu);
  bool (*has)(const GemmVariant& variant);
  // All that fit the product, with both choices made.
  void (*add_variants)(const Product& product, const DeviceInfo& gpu, std::vector<GemmVariant>& variants);
  double (*expected_us)(const Product& product, const GemmVariant& variant, const DeviceInfo& gpu);
  // Weight gradients of several layers in one launch, at most `most_in_a_group`. Null: never.
  double (*expected_us_together)(std::span<const Product> products, const DeviceInfo& gpu) = nullptr;
  void (*compute_together)(std::span<const Product> products, const DeviceInfo& gpu,
                           CudaStream& stream) = nullptr;
};

// Whether there is room for the partial sums of so many blocks, if the epilogue sums a loss.
inline bool has_room_for_sums(const Product& product, std::int64_t blocks) {
  constexpr std::int64_t most = CudaStream::reduction_parts_bytes / sizeof(double);
  return !std::holds_alternative<SquaredErrorLoss>(product.epilogue) || blocks <= most;
}

inline bool fuses_nothing(const Product& /*product*/) { return false; }
inline bool fuses_all(const Product& /*product*/) { return true; }

struct GemmCode {
  bool (*computes)(Precision precision, GemmLayout layout, const DeviceInfo& gpu);
  void (*compute)(const GemmCall& call);
  bool (*fuses)(const Product& product) = fuses_nothing;  // Whether compute() fuses the whole epilogue.
  const GemmChoices* choices = nullptr;
};

// A power of two up to `most`, or negative: chosen by rule.
constexpr bool is_split_k(int split_k, int most) {
  return split_k < 0 || (split_k > 0 && split_k <= most && (split_k & (split_k - 1)) == 0);
}

namespace gemm_codes {

#define BREAKEVEN_GEMM_CODE(identifier, name) extern const GemmCode identifier;
BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_GEMM_CODE)
#undef BREAKEVEN_GEMM_CODE

}  // namespace gemm_codes
}  // namespace breakeven
