// SPDX-License-Identifier: Apache-2.0
// What one GPU takes for its share of a multi-GPU case's work: the cases of the file that a loss budget
// compares with, beside the baseline.
#pragma once

#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// The case's step over the baseline's if N GPUs were N times as fast as one: 1 / N for strong scaling; 1 if
// each GPU has the baseline's batch, as in weak scaling and for independent copies.
double ideal_share(const Case& what, const Case& base);

// Each GPU has the whole model and its share of the rows, so one GPU can do the same work.
bool has_rows_of_one_gpu(const Case& what);

// The baseline's settings at the rows of one of the case's GPUs; null if that was not measured, or if the
// case divides the model.
const MeasuredCase* single_at_rows(const Case& what, const Case& base,
                                   const std::vector<MeasuredCase>& cases);

// The case's strategy on one GPU at those rows, likewise.
const MeasuredCase* strategy_at_rows(const Case& what, const std::vector<MeasuredCase>& cases);

// Of those two, the ones that the loss budgets of `cases` need and that are not among `cases`. The strategy's
// with phases only, if the case is planned with phases: the budget uses only those. None for `auto`, whose
// strategy and GPUs are not known yet.
std::vector<Case> wanted_on_one_gpu(const std::vector<Case>& cases);

}  // namespace breakeven::analysis
