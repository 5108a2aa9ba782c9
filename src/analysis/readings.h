// SPDX-License-Identifier: Apache-2.0
// Reduces a case's memory, telemetry, first-use cost and clocks over its runs and ranks.
#pragma once

#include "src/analysis/case_summary.h"

namespace breakeven::analysis {

// Both read `what`, `done`, `steps` and `step` of the summary. A value that one rank of one run lacks is not
// measured for the case, but for energy, which short runs do not have.
Readings summarize_readings(const CaseSummary& summary);
Steadiness summarize_steadiness(const CaseSummary& summary);

}  // namespace breakeven::analysis
