// SPDX-License-Identifier: Apache-2.0
// A speed-up is over one GPU with the case's own settings. Is one GPU faster with others?
#pragma once

#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// A single GPU that trains the same model on the same batch and data in another precision, with another GEMM
// kernel, or with or without a graph, and is faster than the case's baseline: its interval, corrected for all
// such settings of the file, lies above 1.02. The fastest of several.
struct FasterSingle {
  const MeasuredCase* single = nullptr;  // null: no other is shown to be faster
  statistics::RatioEstimate advantage;   // its samples a second over the baseline's
  statistics::RatioEstimate speedup;     // the case's samples a second over its own
};

// `candidate` has more than one GPU, `comparison` is the one with its baseline. Runs are paired by (launch,
// repeat), so what was measured in other launches alone does not count.
FasterSingle faster_single_of(const MeasuredCase& candidate, const Comparison& comparison,
                              const std::vector<MeasuredCase>& cases);

}  // namespace breakeven::analysis
