// SPDX-License-Identifier: Apache-2.0
// What one GPU takes for a share of a multi-GPU case's work: the cases of the file that the case is held
// against, beside its base.
#pragma once

#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// So much of the base's step the case would take, if N GPUs were N times as fast as one: 1 / N for strong
// scaling; 1 where each GPU has the base's batch, as in weak scaling and of independent copies.
double ideal_share(const Case& what, const Case& base);

// Each GPU has the whole model and its share of the rows, so that one GPU can be given the same work.
bool has_rows_of_one_gpu(const Case& what);

// The base's settings at the rows of one of the case's GPUs; null where that was not measured, or where the
// case divides otherwise.
const MeasuredCase* single_at_rows(const Case& what, const Case& base,
                                   const std::vector<MeasuredCase>& cases);

// The case's strategy on one GPU at those rows, likewise.
const MeasuredCase* strategy_at_rows(const Case& what, const std::vector<MeasuredCase>& cases);

// Of those two, the ones that the loss budgets of `cases` want and that are not among them. The strategy's by
// phases alone where the case is planned by phases too: that is where the budget looks. None for `auto`,
// whose strategy and GPUs are not known yet.
std::vector<Case> wanted_on_one_gpu(const std::vector<Case>& cases);

}  // namespace breakeven::analysis
