// SPDX-License-Identifier: Apache-2.0
// How the runs of several cases settled: in a few words for a verdict, an answer, and the comparison of
// files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/analysis/case_result.h"

namespace breakeven::report {

struct SettledRuns {
  std::size_t runs = 0, unsettled = 0, bursts = 0, drifting = 0, settled = 0;  // as analysis::Settling
  std::size_t not_steady = 0;  // while they were measured, however they settled

  void add(const analysis::CaseSummary& summary);
  bool are_unsettled() const { return unsettled == runs; }
  bool are_bursts() const { return bursts == runs; }
};

// The summaries that the cases' speed-ups compare.
std::vector<const analysis::CaseSummary*> both_sides(const std::vector<const analysis::CaseResult*>& lines);

// "in bursts", "not settled", "settled", "5 of 8 runs settled"
std::string in_words(const SettledRuns& runs);

}  // namespace breakeven::report
