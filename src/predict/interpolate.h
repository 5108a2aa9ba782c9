// SPDX-License-Identifier: Apache-2.0
// A quantity between the places where it is known, how far off it may be there, and where that was tested.
#pragma once

#include <map>

namespace breakeven::predict {

// What is known at some places, such as the logarithms of batches. At least one place is known.
using KnownAt = std::map<double, double>;

// Between known places by a straight line, beyond them as at the nearest.
double interpolate(double x, const KnownAt& known);

// The size of interpolate()'s error at x, up to a factor that is common to all x. Of a random walk in x, the
// straight line is the best prediction between two known places, and the nearest place beyond them. The
// variance of its error is a b / (a + b) at the distances a and b from both neighbours (a Brownian bridge),
// and a at the distance a beyond the last. Errors that shrink with the square of the spacing, as those of a
// smooth curve do, are smaller than that.
double error_scale(double x, const KnownAt& known);

// Whether x lies between the known places, or beyond the last one by no more than that lies beyond the one
// before. So far out a held-out place tests a prediction: the last one, predicted from those before it.
bool is_tested_at(double x, const KnownAt& known);

}  // namespace breakeven::predict
