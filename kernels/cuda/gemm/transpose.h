// SPDX-License-Identifier: Apache-2.0
// Transposed copies of fp32 operands, for kernels that read them along k only.
#pragma once

#include "kernels/cuda/cuda_stream.h"
#include "src/core/matrix.h"

namespace breakeven {

// to[col, row] = from[row, col] for all rows and columns of `from`, in fp32. `to` has from.cols rows and at
// least from.rows columns. Neither overlaps the other.
void transpose(const ConstMatrix& from, const Matrix& to, CudaStream& stream);

}  // namespace breakeven
