// SPDX-License-Identifier: Apache-2.0
// Where more GPUs begin to pay, as a band, and from where on they are worth what they cost.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/statistics/payoff.h"

namespace breakeven::statistics {

// At a batch, a number of parameters, a factor on the link's bandwidth.
struct BreakEvenPoint {
  BreakEvenPoint(double at, double centre, Payoff verdict) : at(at), centre(centre), verdict(verdict) {}
  BreakEvenPoint(double at, const Interval& speedup)
      : BreakEvenPoint(at, speedup.centre, verdict_of(speedup)) {}
  double at;
  double centre;   // of the speed-up
  Payoff verdict;  // as in the table beside: corrected with the other points where they are one family
  std::vector<PairedBlock> blocks = {};  // that the speed-up was estimated from; none: it was predicted
  // Where it is the fastest of several configurations: the blocks of each, by its name.
  std::map<std::string, std::vector<PairedBlock>> rivals = {};
};

// A band: up to its lower end more GPUs do not pay, from its upper end on they do, and between them nothing
// is decided. Or the reverse.
struct BreakEven {
  Payoff below = Payoff::undecided;  // the verdict on all points up to `low`
  Payoff above = Payoff::undecided;  // the verdict on all points from `high` on
  double low = not_a_place;          // NaN where `below` is undecided: the crossing may be beyond the range
  double high = not_a_place;
  Interval crossing = {};  // of 1. No centre where the centres cross it never or several times

  static constexpr double not_a_place = std::numeric_limits<double>::quiet_NaN();
};

// Points in rising order; verdicts other than `pays` and `does_not_pay` count as undecided. From either end
// inward points count up to the first with another verdict. Where the speed-up rises from under 1 to over 1,
// or falls, the crossing lies within the band as often as all verdicts are right (payoff.h). Two bands if
// both ends have one verdict and a decided point between them has the other; none if all points have one
// verdict that is decided.
//
// The crossing takes the logarithm of the speed-up as a line in the logarithm of the place between two
// points next to each other. Its bounds are where the speed-up's 95 % interval ceases to hold 1 (Fieller,
// "Some Problems in Interval Estimation", Journal of the Royal Statistical Society B 16, 1954): 0 or infinite
// where it holds 1 up to the end of the range, or where an end of the range is undecided and so is the next
// point beyond the bound. The interval is that of the line by Student's t, over the launches (or else runs)
// that its points have in common, widened for a curve about the line: with the second derivative c, it lies
// c (x - a) (b - x) / 2 from the line between a and b. The deviation of c is the usual one (crossing.cpp), or
// half of c at one of the two points where that is more. No bounds with fewer than three common units.
//
// The fastest of several crosses where the first of them does: a line from one configuration to another is
// the speed of neither. Its interval has the level 1 - 5 % / the number that cross there, by Bonferroni's
// inequality, since the first was also lucky.
std::vector<BreakEven> find_break_evens(std::span<const BreakEvenPoint> points);

// The cost of an hour: for each GPU, and once for whoever waits.
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
