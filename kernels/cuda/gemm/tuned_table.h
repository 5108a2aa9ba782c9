// SPDX-License-Identifier: Apache-2.0
// The table of measured products that comes with the program (kernels/cuda/gemm/tuned/).
#pragma once

#include <string_view>

namespace breakeven {

// For GPUs of this compute capability; empty where none has been measured.
std::string_view tuned_table_text(int compute_capability);

}  // namespace breakeven
