// SPDX-License-Identifier: Apache-2.0
// Does it pay? The answer that an estimated speed-up allows, and how much more measuring would give one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/statistics/interval.h"

namespace breakeven {

// Two speeds within this share of each other are the same for any practical purpose.
inline constexpr double practical_equivalence = 0.02;

enum class Payoff { not_measured, undecided, does_not_pay, same, pays };

struct Decision {
  Payoff verdict = Payoff::not_measured;
  std::size_t more_blocks = 0;  // of undecided: about how many more would decide; 0 where no number would do
};

// The whole 95 % interval above 1.02: pays. Below 0.98: does not pay. Within [0.98, 1.02]: the same. Else
// undecided. Anything NaN or infinite: not measured.
Decision decide(const RatioEstimate& speedup);

std::string_view word_of(Payoff verdict);         // "does_not_pay": for machines
std::string phrase_of(const Decision& decision);  // "undecided, 12 more": for tables

}  // namespace breakeven
