// SPDX-License-Identifier: Apache-2.0
// The table of measured products that comes with the program (from kernels/cuda/gemm/tuned/).
#pragma once

#include "kernels/gemm_table.h"

namespace breakeven {

// For GPUs of this compute capability; empty if there is none. Parsed at the first call.
const GemmTable& tuned_table(int compute_capability);

}  // namespace breakeven
