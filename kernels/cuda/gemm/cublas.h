// SPDX-License-Identifier: Apache-2.0
// The same product by cuBLAS: the yardstick of the project's own.
#pragma once

#include <cublas_v2.h>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

// C = A B in every precision but tf32x3, which cuBLAS does not have. Epilogues are not its business.
void gemm_cublas(cublasHandle_t cublas, const Product& product, CudaStream& stream);

}  // namespace breakeven
