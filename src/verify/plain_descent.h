// SPDX-License-Identifier: Apache-2.0
// What a strategy that splits the model computes when nothing makes its roundings larger.
#pragma once

#include <vector>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/verify/verdict.h"

namespace breakeven {

inline constexpr float plain_descent_rate = 1e-4f;

// A split model sums in another order, so no reference is bit-identical. Adam turns a gradient that is only
// rounding error into a whole step, so limits on its weights have to be wide. Plain gradient descent does not
// amplify rounding. It runs the same layers, communication and gradients, and is checked against fixed
// limits. The rate is small, so that what a unit at ReLU's kink changes is not fed back: at 1e-3 some seeds
// of large-50 already take another way. The case and the single device are trained by it for as many steps as
// the bench's options ask for. Their weights must be within 1e-5 of each other in the relative Frobenius
// norm, and their difference within 1e-4 of the way that the steps have made; an exchange left out once in
// 100 steps is over it. In fp32; no checks, and nothing is trained, in other precisions and where the
// strategy does not split the model. Collective over the case's ranks, which all get the same.
std::vector<Check> check_plain_descent(const Case& what, RunContext& bench);
// By another strategy than the case's, or over another communicator.
std::vector<Check> check_plain_descent(const Case& what, RunContext& bench, const StrategyChoice& strategy,
                                       Communicator* communicator);

}  // namespace breakeven
