// SPDX-License-Identifier: Apache-2.0
// Makes rows orthonormal by the rules of orthonormal.h.
#include <algorithm>
#include <cmath>

#include "kernels/host/host_device.h"
#include "kernels/orthonormal.h"

namespace breakeven {
namespace {

double dot(const float* a, const float* b, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// Subtracts from row `row` its components along the previous rows; returns the square of what is left.
double lose_directions(const Matrix& matrix, std::int64_t row) {
  float* const mine = matrix.floats() + row * matrix.ld;
  for (std::int64_t before = 0; before < row; ++before) {
    const float* const other = matrix.floats() + before * matrix.ld;
    const auto share = static_cast<float>(dot(mine, other, matrix.cols));
    for (std::int64_t i = 0; i < matrix.cols; ++i) mine[i] -= share * other[i];
  }
  return dot(mine, mine, matrix.cols);
}

// Replaces the row by the first unit vector that keeps enough, and does the same.
double take_unit_vector(const Matrix& matrix, std::int64_t row) {
  float* const mine = matrix.floats() + row * matrix.ld;
  double square = 0;
  for (std::int64_t unit = 0; unit <= row && !keeps_enough(square, row); ++unit) {
    std::fill_n(mine, matrix.cols, 0.0f);
    mine[unit] = 1;
    square = lose_directions(matrix, row);
  }
  return square;
}

}  // namespace

void HostDevice::orthonormalise_rows(std::span<const Matrix> matrices, Stream& /*stream*/) {
  for (const Matrix& matrix : matrices) {
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      float* const mine = matrix.floats() + row * matrix.ld;
      const double before = dot(mine, mine, matrix.cols);
      double square = lose_directions(matrix, row);
      if (nothing_is_left(before, square)) square = take_unit_vector(matrix, row);
      const auto factor = static_cast<float>(1 / std::sqrt(square));
      for (std::int64_t i = 0; i < matrix.cols; ++i) mine[i] *= factor;
    }
  }
}

}  // namespace breakeven
