// SPDX-License-Identifier: Apache-2.0
// The measured speed-up behind a row of verdicts, and what its interval covers.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/sections/break_even_curves.h"

namespace breakeven::report {

// The smallest place from which on every case pays; else the last that pays; else the largest.
const analysis::CaseResult* evidence_of(const BreakEvenCurve& curve);

// Of the fastest of several, with the interval that holds whichever came out fastest.
statistics::RatioEstimate speedup_of(const BreakEvenCurve& curve, const analysis::CaseResult& line);

// "zero1 at 16,384: 1.34 (1.32–1.35)"; without the strategy where the curve has only one.
std::string evidence_in_brief(const BreakEvenCurve& curve);

// "zero1 at 16,384 1.34 (1.32–1.35) times as fast, 95 % CI between 3 launches on 2 machines, settled"
std::string evidence_in_words(const Results& results, const BreakEvenCurve& curve);

// "95 % CI between 3 launches on 2 machines, 570 of 588 runs settled"
std::string scope_in_words(const Results& results, const std::vector<const analysis::CaseResult*>& lines);

}  // namespace breakeven::report
