// SPDX-License-Identifier: Apache-2.0
// Tensor maps, which describe a matrix to TMA.
#pragma once

#include <cuda.h>

#include "src/core/matrix.h"

namespace breakeven::hopper {

// Whether TMA can read this matrix: rows aligned to 16 bytes, sizes in 32 bits.
bool can_map(const ConstMatrix& matrix);

// Boxes of box_rows x 128 bytes, stored with the 128-byte swizzle; zeros outside the matrix. TMA rounds
// floats to TF32, to the nearest with ties to even, as `cvt.rn.tf32` does.
CUtensorMap map_of(const ConstMatrix& matrix, int box_rows);

// Boxes of box_rows x box_cols floats, stored row by row. Rows are aligned to 16 bytes.
CUtensorMap map_of_floats(const ConstMatrix& matrix, int box_rows, int box_cols);

}  // namespace breakeven::hopper
