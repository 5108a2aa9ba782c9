// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/settling_words.h"

#include <fmt/format.h>

namespace breakeven::report {

void SettledRuns::add(const analysis::CaseSummary& summary) {
  runs += summary.done.size();
  unsettled += summary.settling.unsettled;
  bursts += summary.settling.bursts;
  drifting += summary.settling.still_drifting;
  settled += summary.settling.settled;
  not_steady += summary.step.not_steady_runs;
}

std::vector<const analysis::CaseSummary*> both_sides(const std::vector<const analysis::CaseResult*>& lines) {
  std::vector<const analysis::CaseSummary*> sides;
  for (const analysis::CaseResult* line : lines)
    for (const analysis::CaseSummary* side : {line->comparison.base_timed, line->comparison.timed})
      if (side != nullptr) sides.push_back(side);
  return sides;
}

std::string in_words(const SettledRuns& runs) {
  if (runs.are_bursts()) return "in bursts";
  if (runs.are_unsettled()) return "not settled";
  if (runs.settled == runs.runs) return "settled";
  return fmt::format("{} of {} runs settled", runs.settled, runs.runs);
}

}  // namespace breakeven::report
