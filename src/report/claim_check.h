// SPDX-License-Identifier: Apache-2.0
// Does a claim about a range of cases hold on what was measured? One case that surely contradicts it refutes
// it; it holds where every measured case surely agrees.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/statistics/interval.h"

namespace breakeven {

// What is claimed of a figure, both ends included; the figure is above zero.
struct ClaimedRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

// One measured case that the claim speaks of.
struct Evidence {
  std::string label;  // "medium at batch 16, ddp on 2, fp32"
  RatioEstimate measured;
  ClaimedRange claimed;
};

enum class ClaimVerdict { holds, does_not_hold, not_decided };

struct ClaimVerdictInfo {
  std::string_view key;     // for programs
  std::string_view phrase;  // for people
};
inline constexpr std::array claim_verdict_words{ClaimVerdictInfo{"holds", "holds"},
                                                ClaimVerdictInfo{"does_not_hold", "does not hold"},
                                                ClaimVerdictInfo{"not_decided", "not decided"}};
constexpr std::string_view word_of(ClaimVerdict verdict) {
  return claim_verdict_words[static_cast<std::size_t>(verdict)].key;
}
constexpr std::string_view phrase_of(ClaimVerdict verdict) {
  return claim_verdict_words[static_cast<std::size_t>(verdict)].phrase;
}

struct ClaimCheck {
  ClaimVerdict verdict = ClaimVerdict::not_decided;
  std::size_t agreeing = 0;       // the whole 95 % interval lies within what is claimed
  std::size_t contradicting = 0;  // it lies outside, and still does at the level of all the claim's cases
  // Of one that contradicts, the furthest from what is claimed; of one that holds, the nearest to its border;
  // of one that is open, the first open case. Empty without evidence.
  std::optional<Evidence> deciding;
};

// To be refuted by chance, a claim of k cases has k chances: an interval counts as outside only where it is
// outside at the error 5 % / k too (Bonferroni). To hold, all k must agree, which needs no correction
// (intersection-union test: Berger, Technometrics 24, 1982). Fewer than three units, or a NaN, decide
// nothing.
ClaimCheck check_claim(std::span<const Evidence> evidence);

}  // namespace breakeven
