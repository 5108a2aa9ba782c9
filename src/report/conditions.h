// SPDX-License-Identifier: Apache-2.0
// Under which conditions the two sides of a speed-up were measured: in how many launches, how long, how
// steady, at which clock and power.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

// Of the cases of one answer: what its intervals cover, "Runs settled for 1.2 s and were measured for 0.50
// s.", or that they are bursts; and where the power limit slows one GPU more than several, at which batch and
// by how much. "" where nothing was measured.
std::string conditions_in_words(const std::vector<const analysis::CaseResult*>& lines);

}  // namespace breakeven::report
