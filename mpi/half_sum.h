// SPDX-License-Identifier: Apache-2.0
// Sums of 16-bit floating-point numbers, which MPI does not know.
#pragma once

#include <mpi.h>

#include "kernels/precision.h"

namespace breakeven {

// For elements of MPI_UINT16_T: adds in fp32 and rounds to nearest even. Made at the first call, and valid
// until MPI ends.
MPI_Op half_sum(Element element);

}  // namespace breakeven
