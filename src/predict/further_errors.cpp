// SPDX-License-Identifier: Apache-2.0
#include "src/predict/further_errors.h"

#include <algorithm>
#include <cmath>

namespace breakeven::predict {
namespace {

ByBasis<LocalErrors> by_basis(const std::vector<FurtherError>& errors, double FurtherError::*which) {
  const auto on = [&](Basis basis) {
    std::vector<PlacedError> placed;
    for (const FurtherError& one : errors)
      if (one.basis == basis) placed.push_back({one.what, one.*which});
    return LocalErrors(placed, unit_of(basis));
  };
  return {on(Basis::extrapolated), on(Basis::fitted), {}};
}

Case with_strategy_of(const StepModel::Family& family, Case what) {
  what.strategy = family.key.strategy;
  return what;
}

}  // namespace

FurtherErrors::FurtherErrors(int from, int to, const std::vector<FurtherError>& errors)
    : from_(from),
      to_(to),
      of_seconds_(by_basis(errors, &FurtherError::of_seconds)),
      of_speedups_(by_basis(errors, &FurtherError::of_speedup)) {}

double FurtherErrors::growth(const Case& what) const {
  return std::max(1.0, std::log2(double(what.gpus) / to_) / std::log2(double(to_) / from_));
}

double FurtherErrors::seconds_half_width(const StepModel::Family& family, const Case& what,
                                         Basis basis) const {
  return of_seconds_.of(basis).half_width(with_strategy_of(family, what)) * growth(what);
}

double FurtherErrors::speedup_half_width(const StepModel::Family& family, const Case& what,
                                         Basis basis) const {
  return of_speedups_.of(basis).half_width(with_strategy_of(family, what)) * growth(what);
}

}  // namespace breakeven::predict
