// SPDX-License-Identifier: Apache-2.0
// What a results file says about a claim of the articles: its measured cases, each with the figure that the
// claim is about.
#pragma once

#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/claims/claim.h"

namespace breakeven::report {

// In the order of the report. NaN for a planned case whose figure was not measured.
std::vector<Evidence> evidence_of(const Claim& claim, const analysis::FileAnalysis& analysis);

}  // namespace breakeven::report
