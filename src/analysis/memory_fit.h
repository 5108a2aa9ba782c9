// SPDX-License-Identifier: Apache-2.0
// Does a case fit into so much memory, and up to which batch would it?
#pragma once

#include "src/analysis/case_summary.h"

namespace breakeven::analysis {

// Bytes of one rank. Measured is never below what was predicted, but for what the prediction cannot know: the
// exchange's memory and the streams' scratch. What grows with the batch grows with the rows of a rank; all
// else is taken to stay as it was measured.
struct MemoryFit {
  double bytes = not_measured;          // the larger of predicted and measured; NaN where either is
  double bytes_a_row = not_measured;    // of a rank's rows of the batch
  double largest_batch = not_measured;  // over all GPUs; 0 where not even one row a rank fits
  bool fits = false;
};

MemoryFit fit_memory(const CaseSummary& summary, double limit_bytes);

}  // namespace breakeven::analysis
