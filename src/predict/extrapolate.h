// SPDX-License-Identifier: Apache-2.0
// A family's factors carried to more GPUs than it was measured on, and to meshes that it was not measured in.
#pragma once

#include "src/predict/step_model.h"

namespace breakeven {

// How far the exchange's seconds can be trusted there.
struct ExchangeWarning {
  double error_a_doubling = 0;  // 95 %, in the logarithm, for every doubling
  int known_ranks = 2;          // up to which it is measured
};

// The case's terms by the family's factors; where its model was measured on fewer GPUs, times what the fit
// was off there with as many rows a pass. The interval is made of two errors that know nothing of each other:
// the family's held-out one, and the exchange's share of the step times its doubt, for every doubling of the
// ranks beyond those known.
Prediction extrapolate(const StepModel::Family& family, const Case& what, const StepTerms& terms,
                       const ExchangeWarning& warning);

}  // namespace breakeven
