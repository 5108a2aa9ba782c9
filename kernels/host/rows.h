// SPDX-License-Identifier: Apache-2.0
// Access to matrices of any dtype, one row of floats at a time, for the operations of the host device.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/step_state.h"

namespace breakeven {

// `count` consecutive values.
void to_floats(std::size_t count, const void* values, Dtype dtype, float* floats);
void from_floats(std::size_t count, const float* floats, void* values, Dtype dtype);

// A row as floats: the row itself if it is fp32, else a copy in `buffer`. Change what edit_row returns, then
// write it back by store_row.
using RowBuffer = std::vector<float>;
const float* read_row(const ConstMatrix& matrix, std::int64_t row, RowBuffer& buffer);
float* edit_row(const Matrix& matrix, std::int64_t row, RowBuffer& buffer);
void store_row(const float* values, const Matrix& matrix, std::int64_t row);

// state->overflow = 1 if a stored value of the row is not finite. Without loss scaling it does nothing: a NaN
// must stay visible, and no step is skipped for it.
void tell_overflow(const ConstMatrix& matrix, std::int64_t row, StepState& state);
void tell_overflow(std::size_t count, const float* values, StepState& state);

}  // namespace breakeven
