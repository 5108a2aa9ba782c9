// SPDX-License-Identifier: Apache-2.0
// `breakeven predict --hold-out-gpus N`: predictions of measured cases from those on fewer GPUs, case by
// case.
#pragma once

#include <string>

#include "src/report/report.h"

namespace breakeven {

inline constexpr int held_out_version = 1;  // of the JSON: raised where a key changes its meaning or goes

// Throws Failure(file) where the file has no case on so many GPUs, or none on fewer that tells of one.
std::string make_hold_out_report(const Results& results, int gpus, ReportFormat format);

}  // namespace breakeven
