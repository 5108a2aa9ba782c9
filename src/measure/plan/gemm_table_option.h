// SPDX-License-Identifier: Apache-2.0
// The option --gemm-table, which `run`, `verify` and `kernels` share.
#pragma once

#include <string>

namespace breakeven {

inline constexpr const char* gemm_table_meaning =
    "table of the fastest kernels for --gemm tuned, written by 'breakeven kernels --tune'";

// As it is recorded beside the results; "" is the table that came with the program.
inline std::string recorded_gemm_table(const std::string& path) { return path.empty() ? "built in" : path; }

}  // namespace breakeven
