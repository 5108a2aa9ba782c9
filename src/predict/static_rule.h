// SPDX-License-Identifier: Apache-2.0
// The rule that the articles end with, which knows nothing but the model's parameters and the batch: the
// rival that measuring has to beat.
#pragma once

#include <cstdint>

namespace breakeven {

enum class RuleAnswer { single_gpu, multi_gpu, measure };

// Below 1 million parameters one GPU; below 5 million one GPU under batch 128, else to be measured; up to 10
// million to be measured; from there on several GPUs from batch 64 on.
constexpr RuleAnswer static_rule(std::uint64_t parameters, std::uint32_t batch) {
  if (parameters < 1'000'000) return RuleAnswer::single_gpu;
  if (parameters < 5'000'000) return batch < 128 ? RuleAnswer::single_gpu : RuleAnswer::measure;
  if (parameters < 10'000'000) return RuleAnswer::measure;
  return batch >= 64 ? RuleAnswer::multi_gpu : RuleAnswer::single_gpu;
}

}  // namespace breakeven
