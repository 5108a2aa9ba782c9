// SPDX-License-Identifier: Apache-2.0
// Tensor maps: what the tensor memory copy engine needs to know of a matrix.
#pragma once

#include <cuda.h>

#include "src/core/matrix.h"

namespace breakeven::hopper {

// Whether the copy engine can read this matrix: 16-bit elements, rows on 16-byte borders, sizes in 32 bits.
bool can_map(const ConstMatrix& matrix);

// Boxes of box_rows x 64 elements, stored with the 128-byte swizzle; zeros outside the matrix.
CUtensorMap map_of(const ConstMatrix& matrix, int box_rows);

// Boxes of box_rows x box_cols floats, stored row by row. Rows start on 16-byte borders.
CUtensorMap map_of_floats(const ConstMatrix& matrix, int box_rows, int box_cols);

}  // namespace breakeven::hopper
