// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/host/dtype.h"

namespace breakeven {
namespace {

template <typename Pointer>
Pointer address_of(Pointer first, Dtype dtype, std::int64_t place) {
  using Byte = std::conditional_t<std::is_same_v<Pointer, void*>, char*, const char*>;
  return static_cast<Byte>(first) + place * bytes_of(dtype);
}

}  // namespace

void to_floats(std::size_t count, const void* values, Dtype dtype, float* floats) {
  with_dtype(dtype, [&](auto tag) {
    const auto* stored = static_cast<const typename decltype(tag)::Type*>(values);
    for (std::size_t i = 0; i < count; ++i) floats[i] = to_float(stored[i]);
  });
}

void from_floats(std::size_t count, const float* floats, void* values, Dtype dtype) {
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto* stored = static_cast<T*>(values);
    for (std::size_t i = 0; i < count; ++i) stored[i] = from_float<T>(floats[i]);
  });
}

const float* read_row(const ConstMatrix& matrix, std::int64_t row, RowBuffer& buffer) {
  if (matrix.dtype == Dtype::fp32) return matrix.floats() + row * matrix.ld;
  buffer.resize(static_cast<std::size_t>(matrix.cols));
  to_floats(buffer.size(), address_of(matrix.data, matrix.dtype, row * matrix.ld), matrix.dtype,
            buffer.data());
  return buffer.data();
}

float* edit_row(const Matrix& matrix, std::int64_t row, RowBuffer& buffer) {
  if (matrix.dtype == Dtype::fp32) return matrix.floats() + row * matrix.ld;
  read_row(matrix, row, buffer);
  return buffer.data();
}

void store_row(const float* values, const Matrix& matrix, std::int64_t row) {
  void* place = address_of(matrix.data, matrix.dtype, row * matrix.ld);
  if (values == place) return;
  from_floats(static_cast<std::size_t>(matrix.cols), values, place, matrix.dtype);
}

void tell_overflow(const ConstMatrix& matrix, std::int64_t row, StepState& state) {
  if (state.growth_interval == 0) return;
  RowBuffer buffer;
  tell_overflow(static_cast<std::size_t>(matrix.cols), read_row(matrix, row, buffer), state);
}

void tell_overflow(std::size_t count, const float* values, StepState& state) {
  const auto finite = [](float value) { return std::isfinite(value); };
  if (state.growth_interval > 0 && !std::all_of(values, values + count, finite)) state.overflow = 1;
}

}  // namespace breakeven
