// SPDX-License-Identifier: Apache-2.0
// The dtypes in NVIDIA's libraries.
#pragma once

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

}  // namespace breakeven
