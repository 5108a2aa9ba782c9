// SPDX-License-Identifier: Apache-2.0
// Errors of predictions on more GPUs than their fit knows, found on the most GPUs that a file measured, and
// the intervals that they give on still more.
#pragma once

#include <vector>

#include "src/predict/step_model.h"

namespace breakeven::predict {

struct FurtherError {
  Case what;
  Basis basis = Basis::extrapolated;
  double of_seconds = not_measured;  // log(measured / predicted)
  double of_speedup = not_measured;  // the same, over the fastest single GPU, held out too
};

class FurtherErrors {
 public:
  FurtherErrors() = default;
  // Of cases on `to` GPUs, predicted from those on up to `from`.
  FurtherErrors(int from, int to, const std::vector<FurtherError>& errors);

  // Half of the 95 % interval on what.gpus GPUs, in the logarithm: that on `to` GPUs (local_errors.h, for the
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
