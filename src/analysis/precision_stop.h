// SPDX-License-Identifier: Apache-2.0
// When has a case been repeated often enough? `run --target-ci` asks after every repeat.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/case.h"
#include "src/core/records/results.h"

namespace breakeven::analysis {

// Fewer runs of a case are never enough: an interval that rests on so few is as often far too narrow as too
// wide, and to stop at the first narrow one would choose those.
inline constexpr std::uint32_t fewest_before_precise = 5;

// Two figures of a case are reported: its step time, and where its base is planned its speed-up, paired by
// repeat. The case is precise once half of the 95 % interval of each is at most `target` of the figure. A
// base goes on for as long as any case that is held against it by the same instrument, or their blocks would
// have no pair. NaN is never precise.
class PrecisionStop {
 public:
  PrecisionStop(const std::vector<Case>& cases, double target);

  // The mean step time of the case's next run.
  void add(std::size_t which, double run_mean_seconds);

  // After a repeat of all cases that go on: which of them are precise now, by their places in `cases`.
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
