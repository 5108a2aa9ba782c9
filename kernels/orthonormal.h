// SPDX-License-Identifier: Apache-2.0
// The rules of orthonormalise_rows. Every row loses what it has of the rows before it, one after another,
// and is divided by its norm; sums are in double.
//
// A row of which nothing is left but rounding has no direction of its own. It becomes that of the first of
// the unit vectors e_0, e_1, ... which keeps enough beside the rows before it: of e_0 ... e_i one always
// keeps 1 / (i + 1) of its square beside i rows, because the parts of all unit vectors within their span add
// up to i. So a gradient that was zero for a step does not leave a subspace of nothing behind.
#pragma once

#include <cfloat>
#include <cstdint>

#include "src/core/host_device.h"

namespace breakeven {

// Squares of the row's norm, before and after it has lost the others' directions. False for what is not
// finite, which must go on.
HOST_DEVICE bool nothing_is_left(double square_before, double square_after) {
  return square_before <= DBL_MAX && square_after <= 0x1p-32 * square_before;
}

HOST_DEVICE bool keeps_enough(double square_after, std::int64_t row) {
  return square_after * static_cast<double>(row + 1) >= 0.5;
}

}  // namespace breakeven
