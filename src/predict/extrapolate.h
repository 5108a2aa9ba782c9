// SPDX-License-Identifier: Apache-2.0
// A family's factors extrapolated to more GPUs than were measured, and to meshes that were not measured.
#pragma once

#include "src/predict/step_model.h"

namespace breakeven::predict {

// How far the exchange's seconds can be trusted there.
struct ExchangeWarning {
  double error_a_doubling = 0;  // 95 %, in the logarithm, for every doubling
  int known_ranks = 2;          // up to which it is measured
};

// The case's terms by the family's factors; if its model was measured on fewer GPUs, times measured over
// fitted there at as many rows per pass. The interval combines two independent errors: the family's held-out
// error, and the exchange's share of the step times its error, for every doubling of the ranks beyond those
// measured.
Prediction extrapolate(const StepModel::Family& family, const Case& what, const StepTerms& terms,
                       const ExchangeWarning& warning);

}  // namespace breakeven::predict
