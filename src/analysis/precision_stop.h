// SPDX-License-Identifier: Apache-2.0
// Whether a case has been repeated often enough, for `run --target-ci`.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/case.h"
#include "src/core/records/results.h"

namespace breakeven::analysis {

// Fewer runs of a case are never enough: the interval of a few runs is often far too narrow, and stopping at
// the first narrow one would select such intervals.
inline constexpr std::uint32_t fewest_before_precise = 5;

// Two figures of a case are reported: its step time and, if its baseline is planned, its speed-up, paired by
// repeat. The case is precise once half of the 95 % interval of each is at most `target` of the figure. A
// baseline repeats as long as any case with the same timing that is compared with it, since blocks need both.
// NaN is never precise.
class PrecisionStop {
 public:
  PrecisionStop(const std::vector<Case>& cases, double target);

  // The mean step time of the case's next run.
  void add(std::size_t which, double run_mean_seconds);

  // After a repeat of all cases that go on: the places in `cases` of those that are precise now.
  std::vector<std::size_t> close_repeat();

  bool goes_on(std::size_t which) const { return goes_on_[which]; }

 private:
  bool is_precise(std::size_t which) const;

  double target_;
  std::vector<std::vector<double>> run_means_;      // [case][repeat]
  std::vector<std::vector<std::size_t>> bases_of_;  // [case]: places of its bases
  std::vector<bool> goes_on_;
};

}  // namespace breakeven::analysis
