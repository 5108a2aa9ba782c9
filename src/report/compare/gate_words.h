// SPDX-License-Identifier: Apache-2.0
// What `compare --gate` found, in sentences, and in a cell of each case.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "src/analysis/case_change.h"

namespace breakeven::report {

struct Gate {
  double share;                             // 0.05 for 5 %
  std::vector<analysis::GateCheck> checks;  // one for each change
};

// The verdict first. For inconclusive cases, how many runs or launches would tell.
std::string gate_in_words(const std::vector<analysis::CaseChange>& changes, const Gate& gate);

// "holds", "REGRESSION", "inconclusive, needs 12 runs"
std::string gate_in_words(const analysis::CaseChange& change, const analysis::GateCheck& check);

std::string units_in_words(std::size_t count, statistics::SamplingUnit unit);  // "12 runs", "1 launch"

// The most that any inconclusive case with intervals by this unit needs in each file, at least three; nothing
// where no more of them would tell.
std::optional<std::size_t> needed_units(statistics::SamplingUnit unit,
                                        const std::vector<analysis::CaseChange>& changes, const Gate& gate);

}  // namespace breakeven::report
