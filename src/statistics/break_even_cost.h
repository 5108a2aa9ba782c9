// SPDX-License-Identifier: Apache-2.0
// From where on N GPUs are worth what they cost beyond time. A gain is the quantity of one GPU over that of
// N: over 1 the N take less of it. Bounds of a place where the gain turns are those of the speed-up's 95 %
// interval put into its formula; infinite where N GPUs never get there.
#pragma once

#include "src/statistics/interval.h"

namespace breakeven {

// What an hour costs: so much for each GPU, and so much for whoever waits, once.
struct HourlyCost {
  double a_gpu = 0;
  double of_waiting = 0;
};

// Of two quantities that are known to so much each, independently: bounds by the logarithms.
Interval quotient(const Interval& numerator, const Interval& denominator);
Interval times(const Interval& quantity, double factor);

// GPU-hours: the speed-up over the GPUs, which is the efficiency.
Interval gain_in_gpu_hours(const Interval& speedup, int gpus);

// A job costs its hours times (GPUs x a_gpu + of_waiting); so N GPUs are worth it from this speed-up on.
double speedup_needed(int gpus, const HourlyCost& cost);
Interval gain_in_money(const Interval& speedup, int gpus, const HourlyCost& cost);

// What an hour of waiting has to be worth, in the unit of `a_gpu`: a_gpu (N - s) / (s - 1) at the speed-up s.
Interval waiting_cost_needed(const Interval& speedup, int gpus, double a_gpu);

// Job length, in samples, that earns the longer start back: extra_start / (one_seconds (1 - 1 / s)), with the
// seconds of a sample on one GPU; 0 where N GPUs start sooner and are faster.
Interval samples_needed(const Interval& speedup, const Interval& one_seconds_a_sample,
                        const Interval& extra_start_seconds);

}  // namespace breakeven
