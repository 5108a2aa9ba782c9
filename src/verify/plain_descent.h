// SPDX-License-Identifier: Apache-2.0
// A strict check of strategies that split the model: with plain gradient descent, which does not amplify
// rounding.
#pragma once

#include <vector>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/verify/verdict.h"

namespace breakeven::verify {

inline constexpr float plain_descent_rate = 1e-4f;

// A split model sums in another order, so no reference is bit-identical. Adam turns a gradient that is only
// rounding error into a whole step, so limits on its weights have to be wide. Plain gradient descent does not
// amplify rounding: it runs the same layers, communication and gradients, and has fixed limits. The case and
// the single device train for as many steps as the context's options ask for. Their weights must agree within
// 1e-5 in the relative Frobenius norm, and differ by at most 1e-4 of the distance that the steps have moved
// them; one exchange left out in 100 steps exceeds this. The rate is small so that a unit at ReLU's kink does
// not feed back: at 1e-3 some seeds of large-50 already diverge. Only for strategies that split the model, in
// fp32; otherwise nothing is trained and no check is returned. Collective over the case's ranks; all of them
// get the same checks.
std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context);
// With another strategy than the case's, or over another communicator.
std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context,
                                       const StrategyChoice& strategy, Communicator* communicator);

}  // namespace breakeven::verify
