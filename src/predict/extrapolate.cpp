// SPDX-License-Identifier: Apache-2.0
#include "src/predict/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

// The rows of a pass through a rank's part of the model, which give the shapes of its products.
double rows_of(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  return strategy.info->work(strategy.options, mlp_of_case(what, 0), 0, what.gpus).rows;
}

// The logarithm of measured over fitted on the most GPUs that the model was measured on, by the logarithm of
// the rows.
std::map<double, double> offsets_of(const StepModel::Family& family, const Case& what) {
  int most = 0;
  for (const Observation& one : family.observations)
    if (one.what.model == what.model && one.what.gpus <= what.gpus) most = std::max(most, one.what.gpus);
  std::map<double, double> offsets;
  for (const Observation& one : family.observations) {
    if (one.what.model != what.model || one.what.gpus != most) continue;
    offsets[std::log(rows_of(one.what))] = std::log(one.seconds / seconds_by(family.factors, one.terms));
  }
  return offsets;
}

double half_width_of(const StepModel::Family& family, Basis basis) {
  const double width = family.errors.of(basis).half_width();
  return std::isnan(width) ? family.errors.by_roofline.half_width() : width;
}

double exchange_share(const Prediction& prediction) {
  return (prediction.parts[index_of(StepTerm::latency)] + prediction.parts[index_of(StepTerm::bandwidth)]) /
         prediction.seconds;
}

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

Prediction extrapolate(const StepModel::Family& family, const Case& what, const StepTerms& terms,
                       const ExchangeWarning& warning) {
  const std::map<double, double> offsets = offsets_of(family, what);
  const double offset = offsets.empty() ? 1 : std::exp(interpolate(std::log(rows_of(what)), offsets));
  const Basis basis = offsets.empty() ? Basis::fitted : Basis::extrapolated;
  Prediction prediction = Prediction::by_factors(basis, family.factors, offset, terms);
  const double doublings = std::max(0.0, std::log2(double(what.gpus) / warning.known_ranks));
  const double of_exchange = exchange_share(prediction) * warning.error_a_doubling * doublings;
  prediction.set_half_width(std::hypot(half_width_of(family, basis), of_exchange));
  return prediction;
}

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
