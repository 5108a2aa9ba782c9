// SPDX-License-Identifier: Apache-2.0
// How often a selector is right: for each model, batch and precision of a file, what it would have chosen
// among the ways that were measured, against the fastest of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/predict/advisor.h"

namespace breakeven {

struct SelectorScore {
  std::size_t asked = 0;      // model, batch and precision with a single GPU and more measured
  std::size_t right = 0;      // the choice is within practical_equivalence of the fastest
  std::size_t no_answer = 0;  // it says that this has to be measured: not right, and one GPU is what one has
  std::vector<double> regrets;  // of all asked: seconds of the choice / of the fastest - 1
};

struct SelectorScores {
  SelectorScore advisor;      // with all cases of the model held out
  SelectorScore static_rule;  // static_rule.h; several GPUs are `ddp` on as many as were measured
};

// Strategies that compute what one GPU computes.
SelectorScores score_selectors(const Advisor& advisor);

}  // namespace breakeven
