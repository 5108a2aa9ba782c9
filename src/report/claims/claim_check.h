// SPDX-License-Identifier: Apache-2.0
// Does a claim about a range of cases hold, by the intervals of the measured cases?
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/statistics/paired_ratio.h"

namespace breakeven::report {

// The claimed range of a positive figure, both ends included.
struct ClaimedRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

// One measured case that the claim concerns.
struct Evidence {
  std::string label;  // "medium at batch 16, ddp on 2, fp32"
  statistics::RatioEstimate measured;
  ClaimedRange claimed;
  bool is_as_in_article = true;
  // Of the phases from which the figure is computed, NaN if not measured; nothing for other figures.
  std::optional<double> timing_overhead = {};
};

// Whether the article claims it for every case, or for typical cases.
enum class ClaimRule { every, most };

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
  std::size_t agreeing = 0;       // the whole 95 % interval lies within the claimed range
  std::size_t contradicting = 0;  // it lies outside, also at the level corrected for all cases
  // Refuted: the case furthest from the claimed range. Holds: the case nearest to its border. Open: the first
  // open case. Empty without evidence, and of a claim of most cases where all are decided but neither side
  // has the majority.
  std::optional<Evidence> deciding;
};

// A claim of every case holds if all agree, and one that contradicts refutes it. A claim of most cases holds
// if more than half of them agree, and does not hold if at least half contradict.
//
// A claim of k cases has k chances to be refuted by chance, so an interval counts as outside only if it is
// also outside at the error 5 % / k (Bonferroni). To hold, all k must agree, which needs no correction
// (intersection-union test: Berger, Technometrics 24, 1982). Fewer than three units, or a NaN, decide
// nothing.
ClaimCheck check_claim(std::span<const Evidence> evidence, ClaimRule rule = ClaimRule::every);

}  // namespace breakeven::report
