// SPDX-License-Identifier: Apache-2.0
// The same case in two files: is the new one faster or slower?
#pragma once

#include <string_view>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

enum class Change { not_measured, unclear, same, faster, slower };

// Of the same instrument. `ratio` is of samples a second, new over old: below 1 the new one is slower.
struct CaseChange {
  Case what;
  const CaseSummary* before = nullptr;
  const CaseSummary* after = nullptr;
  SamplingUnit unit = SamplingUnit::none;
  Interval ratio;  // n: of the file that has fewer units
  Change change = Change::not_measured;
};

// Of every case that both files have done, by `total` where both have it, else by `phases`, in the order of
// `after`. The units are launches where both files have three or more, else runs; nothing pairs those of two
// files, so the interval is Welch's, of the logarithms of their means. Speeds within `tolerance` of each
// other are the same. Changes are decided together by Holm's procedure, as verdicts of one table are
// (payoff.h): what is not proved so is unclear.
std::vector<CaseChange> compare_files(const std::vector<MeasuredCase>& before,
                                      const std::vector<MeasuredCase>& after, double tolerance);

// Proved slower, and by more than `limit` by the estimate itself.
bool is_regression(const CaseChange& change, double limit);

std::string_view word_of(Change change);  // "SLOWER"

}  // namespace breakeven::analysis
