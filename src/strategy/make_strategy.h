// SPDX-License-Identifier: Apache-2.0
// What one strategy makes of another.
#pragma once

#include <memory>

#include "src/strategy/strategy.h"

namespace breakeven {

// `independent` trains by it.
std::unique_ptr<Strategy> make_single(const StrategySetup& setup);

}  // namespace breakeven
