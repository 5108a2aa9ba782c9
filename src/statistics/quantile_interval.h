// SPDX-License-Identifier: Apache-2.0
// How far a median or a 99th percentile can be trusted.
#pragma once

#include <span>
#include <vector>

#include "src/statistics/interval.h"

namespace breakeven {

// Values that belong together, because they were measured together: a run's steps, a launch's, a batch's.
using Cluster = std::vector<double>;

// Of the quantile of all values (sample.h), where values of one cluster may be alike and those of different
// ones are not. Of each cluster the share of its values up to the quantile is taken; Student's t gives the
// interval of their mean, and the quantiles at its two ends are the bounds (Woodruff, "Confidence Intervals
// for Medians and Other Position Measures", JASA 47, 1952). Ends are taken by logarithms of odds, so that
// none lies beyond 100 %. No bounds where there are fewer than three clusters, or fewer than twenty values
// beyond the quantile: the 99th percentile takes 2000 values, the 95th takes 400.
Interval quantile_interval(std::span<const Cluster> clusters, double q);

}  // namespace breakeven
