// SPDX-License-Identifier: Apache-2.0
// What a case takes once, before its first measured step: it decides from how long a job on more GPUs pays.
#pragma once

#include "src/analysis/case_summary.h"

namespace breakeven::analysis {

// Of its transport and GPUs; mean over the runs done, of their launches. Not measured for a case that
// exchanges nothing, nor in older files, where it is part of the set-up.
double connect_seconds(const CaseSummary& summary, const Results& results);

// Connecting, set-up and first step, of the slowest rank.
double start_up_seconds(const CaseSummary& summary, const Results& results);

}  // namespace breakeven::analysis
