// SPDX-License-Identifier: Apache-2.0
// Where a speed-up crosses 1, as a band: up to its lower end more GPUs are surely slower, from its upper end
// on they are surely faster, and what lies between is not decided.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "src/statistics/payoff.h"

namespace breakeven {

// `pays` where the whole interval is over 1, `does_not_pay` where it is under 1, else undecided. The border
// is 1 here, and not that of a verdict (practical_equivalence): what is sought is the place of the crossing.
Payoff side_of(const Interval& speedup);

struct BreakEvenPoint {
  BreakEvenPoint(double at, double centre, Payoff side) : at(at), centre(centre), side(side) {}
  BreakEvenPoint(double at, const Interval& speedup) : BreakEvenPoint(at, speedup.centre, side_of(speedup)) {}
  double at;      // a batch, a number of parameters, a factor on the link's bandwidth
  double centre;  // of the speed-up
  Payoff side;
};

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
// JASA 94, 1999). Two bands where both ends are on one side and a point between them surely on the other;
// none where all points are on one side.
std::vector<BreakEven> find_break_evens(std::span<const BreakEvenPoint> points);

}  // namespace breakeven
