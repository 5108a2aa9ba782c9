// SPDX-License-Identifier: Apache-2.0
// A family's factors extrapolated to more GPUs than were measured and to meshes that were not measured, and
// the errors of that.
#pragma once

#include <vector>

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

// The error of a prediction on more GPUs than its fit knows.
struct FurtherError {
  Case what;
  Basis basis = Basis::extrapolated;
  double of_seconds = not_measured;  // log(measured / predicted)
  double of_speedup = not_measured;  // the same, over the fastest single GPU, held out too
};

// Such errors on the most GPUs that a file measured, and the intervals that they give on still more.
class FurtherErrors {
 public:
  FurtherErrors() = default;
  // `errors` are those of cases on `to` GPUs, predicted from cases on at most `from` GPUs.
  FurtherErrors(int from, int to, const std::vector<FurtherError>& errors);

  // Half of the 95 % interval on what.gpus GPUs, in the logarithm: that on `to` GPUs (LocalErrors, for the
  // family's measured strategy, on the same basis), times the doublings from `to` on over those from `from`
  // to `to`, at least 1. That errors grow with the doublings is an assumption. NaN: not known.
  double seconds_half_width(const StepModel::Family& family, const Case& what, Basis basis) const;
  double speedup_half_width(const StepModel::Family& family, const Case& what, Basis basis) const;

  bool is_known() const { return to_ > 0; }
  int from() const { return from_; }
  int to() const { return to_; }

 private:
  double growth(const Case& what) const;
  int from_ = 0, to_ = 0;
  ByBasis<LocalErrors> of_seconds_, of_speedups_;
};

}  // namespace breakeven::predict
