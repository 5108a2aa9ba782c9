// SPDX-License-Identifier: Apache-2.0
// The elements as NVIDIA's libraries call them.
#pragma once

#include <library_types.h>

#include "src/core/precision.h"

namespace breakeven {

inline cudaDataType_t data_type(Element element) {
  switch (element) {
    case Element::bf16:
      return CUDA_R_16BF;
    case Element::fp16:
      return CUDA_R_16F;
    case Element::fp32:
      break;
  }
  return CUDA_R_32F;
}

}  // namespace breakeven
