// SPDX-License-Identifier: Apache-2.0
// All that is known of one case of a file beside its summaries. FileAnalysis computes each part once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "src/analysis/case_costs.h"
#include "src/analysis/case_exchange.h"
#include "src/analysis/comparison.h"
#include "src/analysis/loss_budget.h"
#include "src/analysis/roofline_shares.h"
#include "src/analysis/speedup_bounds.h"

namespace breakeven::analysis {

// What makes a case's numbers less trustworthy than they look. The report says so in words
// (src/report/warnings/warnings.h).
struct CaseWarnings {
  bool timing_overhead = false;   // phase timing changed the step by more than timing_overhead_tolerance
  bool by_phases_only = false;    // its speed includes the timing overhead
  bool late_warm_up = false;      // steps left out as warm-up change its step by more than steady_tolerance
  bool no_baseline = false;       // on more than one GPU: the baseline has no finished run
  bool few_repeats = false;       // or shares too few launches or repeats with it for a verdict
  bool unexplained_loss = false;  // all parts of its loss were measured, but do not add up to it
};

struct CaseResult {
  const MeasuredCase* measured = nullptr;  // its summaries
  Comparison comparison;  // with its baseline; on more than one GPU corrected with those of its group
  // On more than one GPU. No budget if either of the two compared cases was not measured.
  std::optional<LossBudget> loss = {};
  SpeedupBounds bounds = {};
  CostGains gains = {};
  FasterSingle faster_single = {};  // of a case on more than one GPU
  RooflineShares roofline = {};     // of the runs with phases
  CaseWarnings warnings = {};
};
using CaseResults = std::vector<std::reference_wrapper<const CaseResult>>;

// What is known of one of a case's summaries, the runs with one timing.
struct SummaryResult {
  Comparison comparison;  // with its baseline with the same timing
  std::optional<CaseExchange> exchange;
  std::optional<PipelineIdle> pipeline;  // of pipelines
  SampleCosts costs;
  MemoryFit memory;                        // against AnalysisScope::memory_limit_bytes
  const CaseResult* speaks_for = nullptr;  // on more than one GPU: whose comparison uses this summary
};

}  // namespace breakeven::analysis
