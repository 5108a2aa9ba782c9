// SPDX-License-Identifier: Apache-2.0
// Dtypes and precisions in NVIDIA's libraries.
#pragma once

#include <optional>

#include <cublas_api.h>
#include <library_types.h>

#include "src/core/precision.h"

namespace breakeven {

inline cudaDataType_t data_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16:
      return CUDA_R_16BF;
    case Dtype::fp16:
      return CUDA_R_16F;
    case Dtype::fp32:
      break;
  }
  return CUDA_R_32F;
}

// How cuBLAS and cuBLASLt compute in a precision; nothing if they do not.
inline std::optional<cublasComputeType_t> compute_type(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::bf16:
    case Precision::fp16:
      return CUBLAS_COMPUTE_32F;
    case Precision::tf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    default:
      return std::nullopt;
  }
}

}  // namespace breakeven
