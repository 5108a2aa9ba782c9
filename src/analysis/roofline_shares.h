// SPDX-License-Identifier: Apache-2.0
// How far each phase of a measured case is from its own limit on its machine (phase_limits.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/analysis/phase_limits.h"

namespace breakeven::analysis {

struct PhaseShare {
  Phase phase;
  double seconds;  // mean over runs, steps and ranks
  Limit limit;
  double share() const { return limit.seconds / seconds; }
};

struct RooflineShares {
  std::vector<PhaseShare> phases;       // in the order of a step, up to the first whose limit is not known
  std::optional<double> limit_seconds;  // of the step: all limits together; nothing unless all are known
};

// None where the file does not say enough to know what a device did in a step.
RooflineShares roofline_shares_of(const CaseSummary& phases, const Results& results);

// The least favourable of all, rate by rate; one that was not measured makes it not measured.
Roofline worst_of(std::span<const Roofline* const> all);

}  // namespace breakeven::analysis
