// SPDX-License-Identifier: Apache-2.0
// Converts a product to the arguments of its kernel.
#pragma once

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"

namespace breakeven {

struct GemmProblem;

// The product has been checked, and its sizes fit 32 bits.
GemmProblem make_problem(const Product& product, CudaStream& stream);

}  // namespace breakeven
