// SPDX-License-Identifier: Apache-2.0
// Errors of predicted speed-ups over the fastest single GPU on cases that the fits had not seen. What both
// sides' predictions miss in the same way cancels in their quotient, so an interval from both sides' errors
// as if they were independent would be too wide.
#pragma once

#include "src/predict/step_model.h"

namespace breakeven::predict {

// The errors of predictions on this basis: one for each observation on more than one GPU and each launch:
// measured against the fastest single GPU of the same model, batch and precision in that launch, predicted
// against the fastest predicted one, by the families' errors. A model's errors by_model are judged by the
// others' errors of fits that do not know it either (ErrorsWithout): known, it would halve the gap between
// the models' sizes that it stands in.
LocalErrors speedup_errors_of(const std::vector<StepModel::Family>& families, Basis basis);

}  // namespace breakeven::predict
