// SPDX-License-Identifier: Apache-2.0
// What a results file says about a claim of the articles: its measured cases, each with the figure that the
// claim is about. "More GPUs" is what the articles had: `ddp`, strong scaling.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/claim_check.h"

namespace breakeven::report {

enum class ClaimFigure {
  speedup,       // of samples a second
  above_batch,   // speed-up: above 1.02 beyond the border batch, not above it up to the border
  pays_by_rule,  // speed-up: what static_rule() answers for the case, where it gives an answer
  efficiency,    // at the largest measured batch of a model
  phase_ratio,   // (collect + exchange + broadcast + wait) / (forward + backward + optimizer)
  link_ratio,    // (collect + exchange + broadcast + wait) by NVLink / without
};

// Models and batches; `least` and `most` belong to the range, `below` does not.
struct ClaimScope {
  std::string_view model = "";  // "" for any
  std::uint64_t least_parameters = 0;
  std::uint64_t below_parameters = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t least_batch = 0;
  std::uint32_t most_batch = std::numeric_limits<std::uint32_t>::max();
  int gpus = 0;  // 0 for any number above one
};

struct Claim {
  std::string_view key;        // for machines
  std::string_view statement;  // in our words
  ClaimFigure figure;
  ClaimScope scope;
  ClaimedRange claimed;            // of speedup, efficiency and the ratios
  std::uint32_t border_batch = 0;  // of above_batch
};

// Whether any claim concerns any case of the file; the claim of efficiency leaves no model out.
bool is_evidence_of_any_claim(const analysis::FileAnalysis& analysis);

// In the order of the report. NaN for a planned case whose figure was not measured.
std::vector<Evidence> evidence_of(const Claim& claim, const analysis::FileAnalysis& analysis);

}  // namespace breakeven::report
