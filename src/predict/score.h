// SPDX-License-Identifier: Apache-2.0
// How often a selector is right: for each model, batch and precision of a file, what it would have chosen
// among the ways that were measured, against the fastest of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/analysis/regret.h"
#include "src/predict/advisor.h"

namespace breakeven {

struct SelectorScores {
  analysis::SelectorScore advisor;      // with all cases of the model held out
  analysis::SelectorScore static_rule;  // static_rule.h; several GPUs are `ddp` on as many as were measured
};

// Strategies that compute what one GPU computes.
SelectorScores score_selectors(const Advisor& advisor);

}  // namespace breakeven
