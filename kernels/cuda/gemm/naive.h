// SPDX-License-Identifier: Apache-2.0
// The first rung: the product as the formula says it.
#pragma once

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

// C = A B in any precision (in tf32x3 the products are fp32's). Epilogues are not its business.
void gemm_naive(const Product& product, CudaStream& stream);

}  // namespace breakeven
