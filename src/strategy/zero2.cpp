// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/sharding.h"
#include "src/strategy/make_strategy.h"
#include "src/strategy/sharded_strategy.h"

namespace breakeven {

std::unique_ptr<Strategy> make_zero2(const StrategySetup& setup) {
  return make_zero(setup, zero2_sharding(setup.options));
}

}  // namespace breakeven
