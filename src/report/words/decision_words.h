// SPDX-License-Identifier: Apache-2.0
// A verdict in sentences: what it says, why it may say less than its interval, and how to get one.
#pragma once

#include <string>
#include <vector>

#include "src/report/words/recorded_by.h"
#include "src/statistics/payoff.h"

namespace breakeven::report {

// What follows "it": "pays", "has no interval", "is the same within 2 %", "is undecided, 3 more launches".
std::string verb_of(const statistics::Decision& decision);

// Why an interval that excludes 1 decides nothing: the correction for multiple comparisons, or an
// extrapolation. Else "".
std::string why_undecided(const statistics::Decision& decision, const statistics::Interval& speedup);

// What to run where a decision lacks launches or repeats; "" where none does.
std::string how_to_decide(const std::vector<statistics::Decision>& decisions, RecordedBy recorded_by);

}  // namespace breakeven::report
