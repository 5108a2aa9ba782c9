// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/gate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/statistics/payoff.h"
#include "src/statistics/sample_size.h"

namespace breakeven::analysis {
namespace {

// Of a regression that is none.
double chance_of_regression(const CaseChange& change, double border) {
  const double chance = chance_beyond(change, border);
  return change.ratio.centre < border || std::isnan(chance) ? chance : 1;
}

GateVerdict verdict_of(const CaseChange& change, double border, bool is_confirmed) {
  if (change.ratio.low > border) return GateVerdict::holds;
  if (change.ratio.high < border && is_confirmed) return GateVerdict::regression;
  return GateVerdict::inconclusive;
}

}  // namespace

std::vector<GateCheck> check_gate(const std::vector<CaseChange>& changes, double gate) {
  const double border = 1 - gate;
  std::vector<double> chances;
  for (const CaseChange& change : changes) chances.push_back(chance_of_regression(change, border));
  const std::vector<statistics::HolmLevel> levels =
      statistics::holm_levels(chances, 1 - statistics::confidence);
  std::vector<GateCheck> checks;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const CaseChange& change = changes[i];
    checks.push_back({verdict_of(change, border, levels[i].holds),
                      statistics::units_to_see({.size = std::log(border),
                                                .one_deviation = change.old_step.log_deviation,
                                                .other_deviation = change.new_step.log_deviation})});
  }
  return checks;
}

GateVerdict worst_of(const std::vector<GateCheck>& checks) {
  if (checks.empty()) return GateVerdict::inconclusive;
  return std::ranges::max(checks, {}, &GateCheck::verdict).verdict;
}

std::string_view word_of(GateVerdict verdict) {
  constexpr std::array<std::string_view, 3> words{"holds", "inconclusive", "regression"};
  return words[static_cast<std::size_t>(verdict)];
}

}  // namespace breakeven::analysis
