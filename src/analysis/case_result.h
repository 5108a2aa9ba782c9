// SPDX-License-Identifier: Apache-2.0
// All that is known of one case of a file beside its summaries. FileAnalysis makes them, each part once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "src/analysis/case_exchange.h"
#include "src/analysis/comparison.h"
#include "src/analysis/loss_budget.h"
#include "src/analysis/roofline_shares.h"
#include "src/analysis/sample_costs.h"
#include "src/analysis/speedup_bounds.h"

namespace breakeven::analysis {

struct CaseResult {
  const MeasuredCase* measured = nullptr;  // its summaries
  Comparison comparison;  // with its baseline; on more than one GPU decided together with its group's
  // On more than one GPU. No budget where either of the two compared was not measured.
  std::optional<LossBudget> loss = {};
  SpeedupBounds bounds = {};
  CostGains gains = {};
  RooflineShares roofline = {};  // of the runs with phases
};
using CaseResults = std::vector<std::reference_wrapper<const CaseResult>>;

// What is known of one of a case's summaries by itself: of the runs of one instrument.
struct SummaryResult {
  Comparison comparison;  // with its baseline by the same instrument
  std::optional<CaseExchange> exchange;
  SampleCosts costs;
  const CaseResult* speaks_for = nullptr;  // on more than one GPU: whose comparison is by this summary
};

}  // namespace breakeven::analysis
