// SPDX-License-Identifier: Apache-2.0
// Compares what a results file holds with the formula that its launches name.
#pragma once

#include "src/core/records/results.h"

namespace breakeven {

struct Verdict {
  int verified = 0;
  int complete = 0;
  int planned = 0;
  int wrong_labels = 0;   // launches or runs
  int wrong_numbers = 0;  // of complete and verified runs
  int stray_numbers = 0;  // of planned runs: neither NaN nor what the run would have written

  bool right() const { return wrong_labels + wrong_numbers + stray_numbers == 0; }
};

Verdict check(const Results& results);

}  // namespace breakeven
