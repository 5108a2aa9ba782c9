// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/sharding.h"
#include "src/strategy/make_strategy.h"
#include "src/strategy/sharded_strategy.h"

namespace breakeven {

std::unique_ptr<Strategy> make_zero1(const StrategySetup& setup) {
  return make_zero(setup, zero1_sharding(setup.options));
}

}  // namespace breakeven
