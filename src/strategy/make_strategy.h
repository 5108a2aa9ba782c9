// SPDX-License-Identifier: Apache-2.0
// What one strategy makes of another.
#pragma once

#include <memory>

#include "src/strategy/strategy.h"

namespace breakeven {

// `breakeven verify` and tests train by it directly.
std::unique_ptr<Strategy> make_single(const StrategySetup& setup);

}  // namespace breakeven
