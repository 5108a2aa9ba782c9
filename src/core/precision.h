// SPDX-License-Identifier: Apache-2.0
// The precisions that a network can be trained in, as one table, and the dtypes that they store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/core/words_of.h"

namespace breakeven {

// How activations, their gradients and the working copy of the weights are stored. Master weights, moments,
// gradients of weights and every sum are fp32 in all precisions.
enum class Dtype : std::uint8_t { fp32, bf16, fp16 };
inline constexpr std::array dtypes{Dtype::fp32, Dtype::bf16, Dtype::fp16};
constexpr std::size_t index_of(Dtype dtype) { return static_cast<std::size_t>(dtype); }

constexpr std::int64_t bytes_of(Dtype dtype) { return dtype == Dtype::fp32 ? 4 : 2; }

// How the products are computed.
enum class Precision : std::uint8_t { fp32, tf32x3, tf32, bf16, fp16 };

struct PrecisionInfo {
  Precision precision;
  std::string_view name;
  Dtype dtype;
  double operand_roundoff;      // of one operand of a product, relative: half a unit in its last place
  int fp32_fraction_bits = 23;  // that a product uses of an operand stored in fp32
  double product_error;         // the error that a kernel may have, as a relative Frobenius norm of C ...
  bool error_grows = false;     // ... times the square root of k, where sums round as coarsely as operands
  bool scales_loss = false;     // the loss is scaled, because the dtype cannot hold small gradients
  Precision libraries;          // of NVIDIA's libraries in comparisons with this precision
};

// A new precision goes last, because results files store the roofline's rates by place. The kernels that
// compute it say so in their GemmCode (kernels/cuda/gemm/gemm_code.h).
inline constexpr std::array precisions{
    PrecisionInfo{.precision = Precision::fp32,
                  .name = "fp32",
                  .dtype = Dtype::fp32,
                  .operand_roundoff = 0x1p-24,
                  .product_error = 1e-6,
                  .error_grows = true,
                  .libraries = Precision::fp32},
    PrecisionInfo{.precision = Precision::tf32x3,
                  .name = "tf32x3",
                  .dtype = Dtype::fp32,
                  .operand_roundoff = 0x1p-22,
                  .product_error = 1e-6,
                  .error_grows = true,
                  .libraries = Precision::fp32},  // the same accuracy
    PrecisionInfo{.precision = Precision::tf32,
                  .name = "tf32",
                  .dtype = Dtype::fp32,
                  .operand_roundoff = 0x1p-11,
                  .fp32_fraction_bits = 10,
                  .product_error = 1e-3,
                  .libraries = Precision::tf32},
    PrecisionInfo{.precision = Precision::bf16,
                  .name = "bf16",
                  .dtype = Dtype::bf16,
                  .operand_roundoff = 0x1p-8,
                  .product_error = 1e-2,
                  .libraries = Precision::bf16},
    PrecisionInfo{.precision = Precision::fp16,
                  .name = "fp16",
                  .dtype = Dtype::fp16,
                  .operand_roundoff = 0x1p-11,
                  .product_error = 1e-2,
                  .scales_loss = true,
                  .libraries = Precision::fp16},
};

template <>
inline constexpr auto words_of<Precision> = names_of_rows(precisions);

constexpr std::size_t index_of(Precision precision) { return static_cast<std::size_t>(precision); }
constexpr const PrecisionInfo& info_of(Precision precision) { return precisions[index_of(precision)]; }

}  // namespace breakeven
