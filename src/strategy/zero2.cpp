// SPDX-License-Identifier: Apache-2.0
// ZeRO-2: as zero1, but each rank also keeps only its share of the gradients (Rajbhandari et al., "ZeRO", SC
// 2020, section 5.2). Two buffers of one bucket each take turns: while one bucket's gradients are
// reduce-scattered on a side stream, the backward pass fills the other. The step's code is in zero1.cpp.
#include "src/core/strategy/sharding.h"
#include "src/strategy/sharded_strategy.h"

namespace breakeven::strategy {

std::unique_ptr<Strategy> make_zero2(const StrategySetup& setup) {
  return make_zero(setup, zero2_sharding(setup.options));
}

}  // namespace breakeven::strategy
