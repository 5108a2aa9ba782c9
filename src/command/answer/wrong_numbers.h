// SPDX-License-Identifier: Apache-2.0
// What `run` and `merge` say at their end of numbers that cannot be right.
#pragma once

#include "src/analysis/file_analysis.h"
#include "src/core/failure.h"

namespace breakeven::command {

// Names the first case of each kind on standard error. wrong_numbers where there is any (number_fault.h).
ExitCode tell_wrong_numbers(const analysis::FileAnalysis& analysis);

}  // namespace breakeven::command
