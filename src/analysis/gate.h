// SPDX-License-Identifier: Apache-2.0
// `compare --gate`: did a case become slower by the gate or more, is that ruled out, or do the measurements
// not tell?
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/case_change.h"

namespace breakeven::analysis {

enum class GateVerdict { holds, inconclusive, regression };  // a worse one is greater

struct GateCheck {
  GateVerdict verdict = GateVerdict::inconclusive;
  // Of CaseChange::unit, in each file: with so many, a change as large as the gate is told from none in 80 %
  // of comparisons (sample_size.h). Nothing where the spread is not known.
  std::optional<std::size_t> needed_units;
};

// One for each change. `gate` is a share: of 0.05, the border is a speed ratio of 0.95. Regression: the whole
// 95 % interval is below the border, and Holm's procedure among the cases confirms it (payoff.h). Holds: the
// whole interval is above it. Anything else is inconclusive, a ratio that is not a number too. "Holds" needs
// no correction for many cases, since the gate as a whole holds only where every case does (Berger,
// "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24, 1982).
std::vector<GateCheck> check_gate(const std::vector<CaseChange>& changes, double gate);

// The worst of them; inconclusive if there are none.
GateVerdict worst_of(const std::vector<GateCheck>& checks);

std::string_view word_of(GateVerdict verdict);  // "holds"

}  // namespace breakeven::analysis
