// SPDX-License-Identifier: Apache-2.0
// Outliers: they are flagged and counted, but never removed from a total.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven::statistics {

// 0.6745 (x - median) / MAD (Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993, section 3.3).
// Where more than half of the values are equal, MAD is 0 and the mean absolute deviation takes its place:
// (x - median) / (1.253314 mean |x - median|); where all are equal, every score is 0. A NaN makes all NaN.
std::vector<double> modified_z_scores(std::span<const double> values);

inline constexpr double outlier_score = 3.5;  // Iglewicz and Hoaglin's recommendation

// From this many values on, outliers are flagged. The MAD of few values is often small by chance, so that
// ordinary values look far away: of normal values without any outlier, 5.3 % are beyond 3.5 where there are
// five, so that 21 % of all cases have a false one. Of ten values it is 1.7 %, and of twenty 0.7 %
// (tests/answer/test_outliers.cpp simulates it).
inline constexpr std::size_t fewest_for_outliers = 10;

// Beyond it on either side. A score that is NaN counts as beyond it.
bool is_outlier(double score);

// median + 10 times the robust deviation (1.4826 MAD, or the same with the mean absolute deviation where MAD
// is 0): a single step above it was disturbed. Steps vary more than means of runs, hence the wider limit,
// which is hyperfine's.
double slow_step_limit(std::span<const double> step_seconds);

// The series with lone spikes replaced by the median of the seven values around them: those further from it
// than 3.5 robust deviations of all values from theirs (Hampel's identifier: Davies and Gather, JASA 88,
// 1993). A step up or down stays where it is, since more than three values follow it.
std::vector<double> without_spikes(std::span<const double> series);

}  // namespace breakeven::statistics
