// SPDX-License-Identifier: Apache-2.0
// What a sample takes in energy, by NVML's counter over the measured steps.
#pragma once

#include "src/statistics/case_summary.h"

namespace breakeven {

// Joules of a sample, of all ranks: mean over the runs, with Student's 95 % interval. NaN where the runs were
// too short for the counter.
Interval joules_a_sample(const CaseSummary& summary);

}  // namespace breakeven
