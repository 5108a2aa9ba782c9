// SPDX-License-Identifier: Apache-2.0
// The rules of orthonormalise_rows. From each row its components along the previous rows are subtracted, one
// after another, and the row is divided by its norm. Sums are in double.
//
// If only rounding errors are left of a row, it has no direction. It is then replaced by the first unit
// vector e_0, e_1, ... that keeps enough of its square after the subtraction. Row i always finds one among
// e_0 ... e_i that keeps 1 / (i + 1): the squared components of all unit vectors along i orthonormal rows sum
// to i. So a gradient that is zero for a step does not leave a zero subspace behind.
#pragma once

#include <cfloat>
#include <cstdint>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// From the squares of the row's norm before and after the subtraction. False for values that are not finite,
// which must stay visible.
HOST_DEVICE bool nothing_is_left(double square_before, double square_after) {
  return square_before <= DBL_MAX && square_after <= 0x1p-32 * square_before;
}

HOST_DEVICE bool keeps_enough(double square_after, std::int64_t row) {
  return square_after * static_cast<double>(row + 1) >= 0.5;
}

}  // namespace breakeven
