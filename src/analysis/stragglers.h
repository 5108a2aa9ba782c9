// SPDX-License-Identifier: Apache-2.0
// Stragglers: is one of the ranks slow by its own work, so that the others wait for it?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "src/analysis/case_summary.h"

namespace breakeven::analysis {

// A rank's own work is its step less its wait.
struct OwnWork {
  double seconds = not_measured;        // own work of a step, mean over steps and runs
  double above_others = not_measured;   // over the mean of the other ranks', less 1
  double longest_share = not_measured;  // of the runs, or of the steps: those in which it is the longest
  double probability = not_measured;    // of being the longest this often, if all ranks were alike
  bool beyond_chance = false;
  bool is_straggler = false;  // and above the others by more than practical_equivalence
};

// Counted by runs if there are enough to decide; else by steps. Neighbouring steps are alike, so `units` is
// half the number of independent ones (effective_sample_size of a rank's lead over the others, the runs one
// after another; the least of all ranks). No ranks if own work was not measured.
struct CaseWork {
  const CaseSummary* phases = nullptr;
  bool by_runs = false;
  double units = 0;
  bool can_decide = false;  // a rank that is the longest in all units would be beyond chance
  std::vector<OwnWork> ranks;
};

// If N ranks are alike, each is the longest in a unit with probability 1 / N: a binomial test, one-sided. A
// unit in which two are equally long counts for neither. All ranks of all cases are one family in Holm's
// procedure (payoff.h): if all ranks are alike, at most one of twenty tables names a straggler. `cases` have
// done runs of `phases` on several GPUs.
std::vector<CaseWork> find_stragglers(std::span<const CaseSummary* const> cases);

}  // namespace breakeven::analysis
