// SPDX-License-Identifier: Apache-2.0
// Each rank trains its own model on its own whole batch, exactly as `single` does. Nothing is exchanged. It
// shows what running the same work on several GPUs of a node at once costs.
#include "src/strategy/strategy.h"

namespace breakeven::strategy {

std::unique_ptr<Strategy> make_single(const StrategySetup& setup);

std::unique_ptr<Strategy> make_independent(const StrategySetup& setup) { return make_single(setup); }

}  // namespace breakeven::strategy
