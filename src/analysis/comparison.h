// SPDX-License-Identifier: Apache-2.0
// The cases of a file side by side: each with both of its instruments, each multi-GPU case with its base.
#pragma once

#include <span>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/statistics/paired_ratio.h"
#include "src/statistics/payoff.h"

namespace breakeven::analysis {

// A case whatever the instrument. `total` is the truth for speed, `phases` the explanation; either may be
// null where no such run was planned. `what.timing` is empty.
struct MeasuredCase {
  Case what;
  const CaseSummary* total = nullptr;
  const CaseSummary* phases = nullptr;

  // The one that speaks for speed: total where any such run is done, else phases.
  const CaseSummary& timed() const;
  // mean step seconds by phases over the same by total, less 1; NaN unless both were measured.
  double timing_overhead() const;
};

struct Comparison {
  const MeasuredCase* base = nullptr;       // null: none was planned
  const CaseSummary* timed = nullptr;       // the two summaries compared, by the same instrument;
  const CaseSummary* base_timed = nullptr;  // null where no instrument has done runs of both
  std::vector<PairedBlock> blocks;          // of samples a second, over the base's
  RatioEstimate speedup;  // of samples a second, paired by (launch, repeat); NaN without a base
  Decision decision;
  std::size_t unpaired_runs = 0;     // done runs of the case in whose block the base has none
  double efficiency = not_measured;  // speed-up / GPUs
  // By time to a quality, of which samples a second are one part and what a sample teaches is the other; NaN
  // where a run of either has not reached it.
  RatioEstimate quality_speedup;
  Decision quality_decision;
};

// Whether the one can be the base of the other, whatever the instruments (find_base).
bool is_base_of(const Case& base, const Case& candidate);

// Every case once, instruments merged, in the order of first appearance.
std::vector<MeasuredCase> merge_instruments(const std::vector<CaseSummary>& summaries);

// `single` on one GPU with the same model, precision, gemm, graph and data: at the same global batch for
// strong scaling, at the same batch per GPU for weak. One of the same scaling is preferred; and for a
// strategy whose step cannot be a graph, one that is: nobody would use the slower.
const MeasuredCase* find_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases);

// Both by the same instrument: total where both have done runs of it, else phases. Decided by itself.
Comparison compare_cases(const MeasuredCase& candidate, const MeasuredCase& base);

// The same with the base that find_base() has for it.
Comparison compare_with_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases);

// Their decisions anew, as those of one table: by speed, and by time to a quality.
void decide_together(std::span<Comparison* const> comparisons);

}  // namespace breakeven::analysis
