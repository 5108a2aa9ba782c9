// SPDX-License-Identifier: Apache-2.0
// Which of several ways to use more GPUs is the fastest, and how fast is it really?
#pragma once

#include "src/analysis/case_result.h"

namespace breakeven::analysis {

struct FastestWay {
  const CaseResult* line = nullptr;
  RatioEstimate speedup;  // of the half of the runs that did not choose it
  Decision decision;
  bool is_agreed = false;  // both halves choose it
};

// By batch; none of a batch at which there is nothing to choose from. `lines` are of one group.
std::vector<FastestWay> fastest_ways(const CaseResults& lines);

}  // namespace breakeven::analysis
