// SPDX-License-Identifier: Apache-2.0
// Matrices of any dtype, a row at a time as floats: what every operation of the host device computes on.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/step_state.h"

namespace breakeven {

// `count` neighbouring elements.
void to_floats(std::size_t count, const void* values, Dtype dtype, float* floats);
void from_floats(std::size_t count, const float* floats, void* values, Dtype dtype);

// A row as floats: the row itself where floats are what is stored, else a copy in `buffer`. What edit_row
// gives may be changed, and store_row then makes it the row.
using RowBuffer = std::vector<float>;
const float* read_row(const ConstMatrix& matrix, std::int64_t row, RowBuffer& buffer);
float* edit_row(const Matrix& matrix, std::int64_t row, RowBuffer& buffer);
void store_row(const float* values, const Matrix& matrix, std::int64_t row);

// state->overflow = 1 where a stored value of the row is not finite. Without loss scaling nothing is told: a
// NaN must stay in sight, and no step be skipped for it.
void tell_overflow(const ConstMatrix& matrix, std::int64_t row, StepState& state);
void tell_overflow(std::size_t count, const float* values, StepState& state);

}  // namespace breakeven
