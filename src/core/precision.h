// SPDX-License-Identifier: Apache-2.0
// The precisions that a network can be trained in, as one table, and the dtypes that they store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace breakeven {

// What activations, their gradients and the working copy of the weights are stored as. Master weights,
// moments, gradients of weights and every sum are fp32 in all precisions.
enum class Dtype : std::uint8_t { fp32, bf16, fp16 };

constexpr std::int64_t bytes_of(Dtype dtype) { return dtype == Dtype::fp32 ? 4 : 2; }

// How the products are computed.
enum class Precision : std::uint8_t { fp32, tf32x3, tf32, bf16, fp16 };

struct PrecisionInfo {
  Precision precision;
  std::string_view name;
  Dtype dtype;
  double operand_roundoff;  // of one operand of a product, relative: half a unit in its last place
  std::string_view summary;
};

inline constexpr std::array precisions{
    PrecisionInfo{Precision::fp32, "fp32", Dtype::fp32, 0x1p-24, "fp32 on the ordinary cores"},
    PrecisionInfo{Precision::tf32x3, "tf32x3", Dtype::fp32, 0x1p-22,
                  "fp32 by three TF32 products of the operands' halves, on tensor cores"},
    PrecisionInfo{Precision::tf32, "tf32", Dtype::fp32, 0x1p-11, "operands rounded to TF32"},
    PrecisionInfo{Precision::bf16, "bf16", Dtype::bf16, 0x1p-8,
                  "bfloat16 operands and activations, fp32 weights and sums"},
    PrecisionInfo{Precision::fp16, "fp16", Dtype::fp16, 0x1p-11,
                  "half-precision operands and activations, fp32 weights and sums, dynamic loss scaling"},
};

constexpr const PrecisionInfo& info_of(Precision precision) {
  return precisions[static_cast<std::size_t>(precision)];
}

// Null where there is none of this name.
constexpr const PrecisionInfo* find_precision(std::string_view name) {
  for (const PrecisionInfo& info : precisions) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace breakeven
