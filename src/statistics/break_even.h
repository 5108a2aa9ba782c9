// SPDX-License-Identifier: Apache-2.0
// Where a speed-up crosses 1, as a band, and from where on more GPUs are worth what they cost.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "src/statistics/payoff.h"

namespace breakeven::statistics {

// `pays` where the whole interval is over 1, `does_not_pay` where it is under 1, else undecided. The border
// is 1 here, and not that of a verdict (practical_equivalence), since this looks for the crossing.
Payoff side_of(const Interval& speedup);

struct BreakEvenPoint {
  BreakEvenPoint(double at, double centre, Payoff side) : at(at), centre(centre), side(side) {}
  BreakEvenPoint(double at, const Interval& speedup) : BreakEvenPoint(at, speedup.centre, side_of(speedup)) {}
  double at;      // a batch, a number of parameters, a factor on the link's bandwidth
  double centre;  // of the speed-up
  Payoff side;
};

// A band: up to its lower end more GPUs are slower, from its upper end on they are faster, and between them
// nothing is decided.
struct BreakEven {
  Payoff below = Payoff::undecided;  // the side of all points up to `low`
  Payoff above = Payoff::undecided;  // the side of all points from `high` on
  double low = not_a_place;          // NaN where `below` is undecided: the crossing may be beyond the range
  double high = not_a_place;
  double at = not_a_place;  // by a line in the logarithms; NaN where the centres cross never or several times

  static constexpr double not_a_place = std::numeric_limits<double>::quiet_NaN();
};

// Points in rising order. From either end inward points count up to the first that is on another side, so
// that no correction for the number of points is needed: where the speed-up rises from under 1 to over 1, or
// falls, the crossing lies within the band in 95 % of cases (fixed sequences of tests: Hsu and Berger,
// "Stepwise confidence intervals without multiplicity adjustment for dose-response and toxicity studies",
// JASA 94, 1999). Two bands if both ends are on one side and a decided point between them is on the other;
// none if all points are on one side.
std::vector<BreakEven> find_break_evens(std::span<const BreakEvenPoint> points);

// What an hour costs: for each GPU, and once for whoever waits.
struct HourlyCost {
  double a_gpu = 0;
  double of_waiting = 0;
};

// Of two quantities with independent errors; bounds by the logarithms.
Interval quotient(const Interval& numerator, const Interval& denominator);
Interval times(const Interval& quantity, double factor);

// The costs beyond time. A gain is the quantity of one GPU over that of N: above 1, the N take less of it.
// Bounds of a place where the gain turns are those of the speed-up's 95 % interval put into its formula;
// infinite where N GPUs never get there.

// GPU-hours: the speed-up over the GPUs, which is the efficiency.
Interval gain_in_gpu_hours(const Interval& speedup, int gpus);

// A job costs its hours times (GPUs x a_gpu + of_waiting), so N GPUs are worth it from this speed-up on.
double speedup_needed(int gpus, const HourlyCost& cost);
Interval gain_in_money(const Interval& speedup, int gpus, const HourlyCost& cost);

// What an hour of waiting must be worth, in the unit of `a_gpu`: a_gpu (N - s) / (s - 1) at the speed-up s.
Interval waiting_cost_needed(const Interval& speedup, int gpus, double a_gpu);

// Job length, in samples, that repays the longer start-up: extra_start / (one_seconds (1 - 1 / s)), with the
// seconds of a sample on one GPU; 0 where N GPUs start sooner and are faster.
Interval samples_needed(const Interval& speedup, const Interval& one_seconds_a_sample,
                        const Interval& extra_start_seconds);

}  // namespace breakeven::statistics
