// SPDX-License-Identifier: Apache-2.0
// What a way takes beside its steps: the time until the first one, and energy. Measured where the very case
// was, else from what alike cases took: the same strategy, GPUs and settings with another model or batch.
#pragma once

#include "src/predict/advisor.h"

namespace breakeven {

// Connecting, set-up and first step. Of the case's own runs, or of all alike cases: their mean, least and
// most.
Interval start_seconds(const Way& way, const Advisor& advisor);

struct Energy {
  Interval joules_a_sample;  // of all its GPUs; NaN where no power is known
  bool is_measured = false;
  std::size_t runs = 0;     // of a measured one: that have it
  std::size_t of_runs = 0;  // the same: that were made
};

// Measured: of the runs that have it, as the report gives it (energy.h). Else the power of alike cases that
// reach a similar share of the arithmetic ceiling (within a factor of 1.5), times the way's seconds: bounds
// by the least and the most of them and by the interval of the seconds.
Energy energy_of(const Way& way, const Advisor& advisor);

// A job of so many samples.
Interval job_seconds(const Way& way, double samples, const Interval& start);

}  // namespace breakeven
