// SPDX-License-Identifier: Apache-2.0
// The same case in two files: is the new one faster or slower?
#pragma once

#include <string_view>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

enum class Change { not_measured, unclear, same, faster, slower };

// With the same timing. `ratio` is of samples a second, new over old: below 1 the new one is slower.
struct CaseChange {
  Case what;
  const CaseSummary* before = nullptr;
  const CaseSummary* after = nullptr;
  statistics::SamplingUnit unit = statistics::SamplingUnit::none;
  statistics::Interval ratio;  // n: of the file that has fewer units
  Change change = Change::not_measured;
};

// Of every case that was measured in both files, by `total` where both have it, else by `phases`, in the
// order of `after`. The units are launches where both files have three or more, else runs. Units of two files
// are not paired, so the interval is Welch's, of the logarithms of their means. Speeds within `tolerance` of
// each other are the same. Changes are corrected for multiple comparisons by Holm's procedure, like the
// verdicts of one table (payoff.h); one that fails it is unclear.
std::vector<CaseChange> compare_files(const std::vector<MeasuredCase>& before,
                                      const std::vector<MeasuredCase>& after, double tolerance);

// Slower with confidence, and by more than `limit` by the point estimate.
bool is_regression(const CaseChange& change, double limit);

std::string_view word_of(Change change);  // "SLOWER"

}  // namespace breakeven::analysis
