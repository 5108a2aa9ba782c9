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
// them; one exchange left out in 100 steps exceeds this. For a lossy strategy that limit is at least what
// rounding its averages can do (plain_descent.cpp). Only for strategies that split the model, in fp32;
// otherwise nothing is trained and no check is returned. Collective over the case's ranks; all of them get
// the same checks.
std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context);

// In other strategies too, Adam can move the weights further than the references show. If nothing but Adam's
// weights exceed their limits, in fp32 or tf32x3, the serial definition is trained 8 times more from nudged
// weights (compare_plain_descent), and the limits become twice the largest distance between them and the
// definition, at most those of a split model. With medium-50 the distances are 1e-7, or 2e-3 if a nudge moves
// a unit over ReLU's kink. Then plain gradient descent decides: its checks are added, with the serial
// definition as the reference of a lossy strategy. A limit of 0 stays: there the bits are promised.
// Collective over the case's ranks.
void settle_by_plain_descent(const Case& what, measure::RunContext& context, Verdict& verdict);

// With another strategy than the case's, or over another communicator.
std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context,
                                       const StrategyChoice& strategy, Communicator* communicator);

// The checks of `trajectory`, which `descent` trained by plain gradient descent. A unit whose input is within
// rounding of ReLU's kink passes a sample's gradient or stops it, as rounding decides, and an outer momentum
// repeats the difference for the rest of the training: by 1.2e-3 of the distance for one unit of medium-50.
// No order of sums is the right one. So if the case exceeds a limit, the serial definition is trained up to 8
// times more from weights that a random draw nudges by one unit in the last place, which puts such a unit on
// either side, and the nearest reference counts. The limits stay: a fault is far from all references. A nudge
// itself is 2^-24 of the weights, in medium-50 a fifth of the limit. Collective over the case's ranks; rank
// 0's trajectory is compared.
std::vector<Check> compare_plain_descent(const Case& what, measure::RunContext& descent,
                                         const StrategyChoice& strategy, const Trajectory& trajectory);

}  // namespace breakeven::verify
