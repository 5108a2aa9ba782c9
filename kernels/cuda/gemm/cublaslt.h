// SPDX-License-Identifier: Apache-2.0
// The same product by cuBLASLt, with the epilogues that it can fuse: the yardstick of the project's own.
#pragma once

#include <cublasLt.h>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

// Whether cuBLASLt does the whole of the epilogue with the product: a bias, and ReLU after it, but no
// dropout.
bool cublaslt_fuses(const Product& product);

// C = A B in every precision but tf32x3, with the epilogue where cublaslt_fuses says so.
void gemm_cublaslt(cublasLtHandle_t handle, const Product& product, CudaStream& stream);

}  // namespace breakeven
