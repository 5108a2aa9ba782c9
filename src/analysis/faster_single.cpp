// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/faster_single.h"

#include "src/core/axes.h"

namespace breakeven::analysis {
namespace {

bool is_alternative(const Case& other, const Case& base) {
  using enum Axis;
  return are_alike_but_for(other, base, {precision, gemm, graph, scaling}) &&
         !are_alike(other, base, {precision, gemm, graph});
}

}  // namespace

FasterSingle faster_single_of(const MeasuredCase& candidate, const Comparison& comparison,
                              const std::vector<MeasuredCase>& cases) {
  if (comparison.base == nullptr) return {};
  std::vector<const MeasuredCase*> alternatives;
  std::vector<statistics::RatioEstimate> advantages;  // over the baseline
  for (const MeasuredCase& other : cases) {
    if (!is_alternative(other.what, comparison.base->what)) continue;
    alternatives.push_back(&other);
    advantages.push_back(compare_cases(other, *comparison.base).speedup);
  }
  const std::vector<statistics::Decision> decisions = decide_together(advantages);
  FasterSingle fastest;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].verdict != statistics::Payoff::pays) continue;
    if (fastest.single != nullptr && !(advantages[i].ratio.centre > fastest.advantage.ratio.centre)) continue;
    fastest.single = alternatives[i];
    fastest.advantage = advantages[i];
  }
  if (fastest.single != nullptr) fastest.speedup = compare_cases(candidate, *fastest.single).speedup;
  return fastest;
}

}  // namespace breakeven::analysis
