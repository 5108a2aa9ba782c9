// SPDX-License-Identifier: Apache-2.0
// What a row of the widest table is about, and its columns by subject (tidy.cpp).
#pragma once

#include <vector>

#include "src/analysis/case_costs.h"
#include "src/analysis/file_analysis.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {

struct OneCase {
  const analysis::CaseSummary& summary;
  const analysis::SummaryResult& result;
  const analysis::FileAnalysis& analysis;

  const analysis::StepTimes& step() const { return summary.step; }
  const analysis::Comparison& comparison() const { return result.comparison; }
  const analysis::Readings& readings() const { return summary.readings; }
  const analysis::Settling& settling() const { return summary.settling; }
  const analysis::Steadiness& steadiness() const { return summary.steadiness; }
  analysis::SpeedupBounds bounds() const {
    return result.speaks_for == nullptr ? analysis::SpeedupBounds{} : result.speaks_for->bounds;
  }
  analysis::CostGains gains() const {
    return result.speaks_for == nullptr ? analysis::CostGains{} : result.speaks_for->gains;
  }
  // Nothing is measured where the launches did not train until one and the same quality.
  bool has_quality() const { return !analysis.quality().empty(); }
  analysis::TimeToQuality quality() const {
    return has_quality() ? summary.quality : analysis::TimeToQuality{};
  }
  double formula_seconds(double analysis::ExchangeTime::*part) const {
    return result.exchange ? result.exchange->formula.*part : not_measured;
  }
  double memory_limit() const {
    const std::uint64_t limit = analysis.memory_limit_bytes();
    return limit > 0 ? static_cast<double>(limit) : not_measured;
  }
  const analysis::MemoryFit& fit() const { return result.memory; }
};

using CasePart = TidyPart<OneCase>;
using CaseParts = std::vector<CasePart>;

// tidy_comparison.cpp: against the baseline, by samples a second, by time to a quality, and by costs.
CaseParts comparison_parts();
CaseParts quality_parts();
CaseParts worth_parts();

}  // namespace breakeven::report
