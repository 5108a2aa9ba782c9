// SPDX-License-Identifier: Apache-2.0
// The same product by cuBLAS: the yardstick of the project's own.
#pragma once

#include <cublas_v2.h>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/device.h"

namespace breakeven {

void gemm_cublas(cublasHandle_t cublas, GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c,
                 CudaStream& stream);

}  // namespace breakeven
