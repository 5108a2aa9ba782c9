// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/case_traits.h"

namespace breakeven {

StrategyTraits traits_of(const Case& what) {
  const auto parsed = parse_strategy(trained_strategy(what));
  const auto* strategy = std::get_if<StrategyChoice>(&parsed);
  return strategy != nullptr ? strategy->info->traits : StrategyTraits{};
}

double samples_a_step(const Case& what) {
  const double batch = what.batch;
  return traits_of(what).copies ? batch * what.gpus : batch;
}

std::uint32_t rows_a_gpu(const Case& what) {
  return traits_of(what).copies ? what.batch : what.batch / static_cast<std::uint32_t>(what.gpus);
}

}  // namespace breakeven
