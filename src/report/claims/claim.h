// SPDX-License-Identifier: Apache-2.0
// A numeric claim of the articles that the suite starts from. "More GPUs" is what the articles had: `ddp`,
// strong scaling.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "src/core/case.h"
#include "src/report/claims/claim_check.h"

namespace breakeven::report {

enum class ClaimFigure {
  speedup,             // of samples a second
  above_batch,         // speed-up: above 1.02 beyond the border batch, not above it up to the border
  pays_by_rule,        // speed-up: what static_rule() answers for the case, where it gives an answer
  efficiency,          // at the largest measured batch of a model
  phase_ratio,         // (collect + exchange + broadcast + wait) / (forward + backward + optimizer)
  link_communication,  // (collect + exchange + broadcast + wait) by NVLink / without
  link_speed,          // samples a second without NVLink / by NVLink
  link_bandwidth,      // bytes a second from GPU to GPU by NVLink / without
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

// Whether the article measured, or gives advice for training in general and names no batch and no precision.
enum class ClaimOrigin { measurement, advice };

struct Claim {
  std::string_view key;        // for machines
  std::string_view statement;  // in our words
  ClaimFigure figure;
  ClaimScope scope = {};
  ClaimedRange claimed = {};       // of speedup, efficiency and the ratios
  std::uint32_t border_batch = 0;  // of above_batch
  ClaimRule rule = ClaimRule::every;
  ClaimOrigin origin = ClaimOrigin::measurement;
};

// In the order of the report.
std::span<const Claim> claims_of_articles();

// The settings of the article that measured: fp32, two GPUs and batches 8 to 128, or those that the claim
// itself is about. Advice is for every case.
bool is_as_in_article(const Claim& claim, const Case& what);

}  // namespace breakeven::report
