// SPDX-License-Identifier: Apache-2.0
// Intervals by drawing again from what was measured.
#pragma once

#include <cstddef>
#include <span>

#include "src/statistics/interval.h"

namespace breakeven {

// From this many values on a bootstrap covers as often as it promises; below, Student's t does better. The
// test of coverage has the figures.
inline constexpr std::size_t fewest_for_bootstrap = 10;

// Of the mean of `values`, each of which is the mean of one independent unit (launch, or run). Units are
// drawn with replacement and kept whole: drawing again within them would count their inner spread twice
// (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). The bounds are the
// expanded percentiles of the resampled means, which have the width of Student's t instead of the normal's
// (Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69, 2015,
// section 4.1), so that skewed values get a skewed interval. Draws come from Philox and are the same in every
// call. No bounds for fewer than `fewest_for_bootstrap` values.
Interval bootstrap_mean_interval(std::span<const double> values);

}  // namespace breakeven
