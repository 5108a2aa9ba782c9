// SPDX-License-Identifier: Apache-2.0
// The all-reduce of 16-bit floating-point numbers, which MPI does not know.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "src/core/precision.h"

namespace breakeven {

// In place. Added in rank order, in fp32, and rounded to nearest even at every addition: the same bits on
// every rank, and those of a plain loop. (An MPI_Op would leave the order to MPI.) Every rank adds a share of
// the values, which moves what the all-reduce of a ring moves.
void all_reduce_halves(std::uint16_t* halves, std::size_t count, Dtype dtype, MPI_Comm group);

}  // namespace breakeven
