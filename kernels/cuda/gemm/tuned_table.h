// SPDX-License-Identifier: Apache-2.0
// The table of measured products that comes with the program (kernels/cuda/gemm/tuned/).
#pragma once

#include "kernels/gemm_table.h"

namespace breakeven {

// For GPUs of this compute capability; empty where none has been measured. Parsed at the first call.
const GemmTable& tuned_table(int compute_capability);

}  // namespace breakeven
