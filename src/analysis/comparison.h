// SPDX-License-Identifier: Apache-2.0
// The cases of a file side by side: each with its runs of both timings, each multi-GPU case with its
// baseline.
#pragma once

#include <span>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/statistics/paired_ratio.h"
#include "src/statistics/payoff.h"

namespace breakeven::analysis {

// A case with its runs of both timings. `total` (--timing steps) gives its speed, `phases` (--timing phases)
// explains it; null if no such run was planned. `what.timing` is empty.
struct MeasuredCase {
  Case what;
  const CaseSummary* total = nullptr;
  const CaseSummary* phases = nullptr;

  // The summary that gives the speed: total if any such run is done, else phases.
  const CaseSummary& timed() const;
  // mean step seconds by phases over the same by total, less 1; NaN unless both were measured.
  double timing_overhead() const;
};

struct Comparison {
  const MeasuredCase* base = nullptr;           // null: none was planned
  const CaseSummary* timed = nullptr;           // the two summaries compared, with the same timing;
  const CaseSummary* base_timed = nullptr;      // null if no timing has done runs of both
  std::vector<statistics::PairedBlock> blocks;  // of samples a second, over the base's
  // The samples a second that the speed-up is the ratio of: geometric means over the blocks, in which every
  // launch counts once.
  double samples_per_second = not_measured;
  double base_samples_per_second = not_measured;
  statistics::RatioEstimate speedup;  // of samples a second, paired by (launch, repeat); NaN without a base
  statistics::Decision decision;
  std::size_t unpaired_runs = 0;     // done runs of the case in whose block the base has none
  double efficiency = not_measured;  // speed-up / GPUs
  // By time to a quality, which depends on samples per second and on the number of samples needed; NaN if a
  // run of either has not reached it.
  statistics::RatioEstimate quality_speedup;
  statistics::Decision quality_decision;
};

// `single` on one GPU, which other cases are compared with.
bool is_single_gpu(const Case& what);

// Whether the one can be the baseline of the other, whatever their timings (find_base).
bool is_base_of(const Case& base, const Case& candidate);

// Every case once, timings merged, in the order of first appearance.
std::vector<MeasuredCase> merge_timings(const std::vector<CaseSummary>& summaries);

// `single` on one GPU with the same model, precision, gemm, graph and data: at the same global batch for
// strong scaling, at the same batch per GPU for weak. One of the same scaling is preferred; and for a
// strategy whose step cannot be a CUDA graph, one that is a graph: the faster single GPU is the fair
// baseline.
const MeasuredCase* find_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases);

// With the same timing: total if both have done runs of it, else phases. The verdict is not corrected for
// multiple comparisons.
Comparison compare_cases(const MeasuredCase& candidate, const MeasuredCase& base);

// The same with the base that find_base() has for it.
Comparison compare_with_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases);

// Replaces their decisions by those of one table (payoff.h): by speed, and by time to a quality.
void decide_together(std::span<Comparison* const> comparisons);

// A speed-up is over one GPU with the case's own settings. One GPU with others may be faster.
//
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
