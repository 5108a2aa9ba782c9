// SPDX-License-Identifier: Apache-2.0
// How often a selector is right: for each model, batch and precision of a file, what it would have chosen
// among the measured configurations, against the fastest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/analysis/fastest.h"
#include "src/predict/advisor.h"

namespace breakeven::predict {

// The rule that the articles end with, by the model's parameters and the batch alone: the baseline that
// measuring has to beat.
enum class RuleAnswer { single_gpu, multi_gpu, measure };

// Below 1 million parameters one GPU; below 5 million one GPU under batch 128, else to be measured; up to 10
// million to be measured; from there on several GPUs from batch 64 on.
constexpr RuleAnswer static_rule(std::uint64_t parameters, std::uint32_t batch) {
  if (parameters < 1'000'000) return RuleAnswer::single_gpu;
  if (parameters < 5'000'000) return batch < 128 ? RuleAnswer::single_gpu : RuleAnswer::measure;
  if (parameters < 10'000'000) return RuleAnswer::measure;
  return batch >= 64 ? RuleAnswer::multi_gpu : RuleAnswer::single_gpu;
}

struct SelectorScores {
  analysis::SelectorScore advisor;      // with all cases of the model held out
  analysis::SelectorScore static_rule;  // several GPUs are `ddp` on as many as were measured
};

// Strategies that compute what one GPU computes.
SelectorScores score_selectors(const Advisor& advisor);

}  // namespace breakeven::predict
