// SPDX-License-Identifier: Apache-2.0
// Whether a case of any shape computes the right numbers, by training it twice for a few steps.
#pragma once

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/verify/verdict.h"

namespace breakeven::verify {

// The limits of the articles (verdict.h) hold for large models and many steps; these for any:
// - losses and weights of both trainings are equal to the bit, if the strategy is repeatable;
// - replicas have equal checksums, and gathered weights equal bits, where the strategy promises it;
// - weights have the bits of the serial definition, where the order of its sums is the same;
// - losses are those of the serial definition, in the same precision and in fp32, at every step, and so are
//   those of one device if the strategy is exact: code that a rank and its definition share may not take a
//   rank's place in the batch for another;
// - gradient norms are those of the serial definition, at every step; in fp16 the same steps overflow;
// - an asynchronous server has counted every update, every rank has read what was served, and the weights are
//   those of all updates (replay_async_server).
// Differences of losses and norms are relative to the largest of the training. Each may be 16 roundings of an
// operand (PrecisionInfo::operand_roundoff), at least 1e-4: layers round one after another, and a
// unit whose input is within rounding of ReLU's kink passes or stops a sample's gradient. Where other sums of
// the references alone (References) differ by more than a quarter of that, four times their distance
// is the limit. Or it is the distance of the definition from that in fp32, which is what all roundings of
// operands do: other sums round a value to the other side if it lies within fp32's rounding of the border.
// That is one in a hundred where sums have a thousand terms (2^-24 sqrt(1000) / 2^-12 in tf32), each by
// twelve times the variance of a rounding: a third of all roundings' effect. Collective over the case's
// ranks; rank 0's verdict has all checks.
Verdict verify_twice(const Case& what, measure::RunContext& context);

}  // namespace breakeven::verify
