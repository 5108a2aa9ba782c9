// SPDX-License-Identifier: Apache-2.0
#include "src/predict/speedup_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/axes.h"

namespace breakeven::predict {
namespace {

using Families = std::vector<StepModel::Family>;
using Kind = HeldOut ByBasis<HeldOut>::*;

double predicted_seconds(const StepModel::Family& family, std::size_t observation, Kind kind) {
  return family.observations[observation].seconds * std::exp(-(family.errors.*kind).log_errors[observation]);
}

// The fastest single GPU for a case: as measured in a launch, and as predicted without it.
struct Base {
  double measured = std::numeric_limits<double>::infinity();  // seconds
  double predicted = std::numeric_limits<double>::infinity();
  double error_scale = 1;  // of the predicted one
  bool is_known() const { return std::isfinite(measured); }
};

Base base_of(const Case& what, std::uint32_t launch, const Families& families, Kind kind) {
  Base base;
  for (const StepModel::Family& family : families) {
    for (std::size_t i = 0; i < family.observations.size(); ++i) {
      const Observation& one = family.observations[i];
      if (!analysis::is_single_gpu(one.what) || !one.in_launch.contains(launch) ||
          !are_alike(one.what, what, {Axis::model, Axis::batch, Axis::precision}))
        continue;
      const double predicted = predicted_seconds(family, i, kind);
      if (std::isnan(predicted)) continue;
      base.measured = std::min(base.measured, one.in_launch.at(launch));
      if (!(predicted < base.predicted)) continue;
      base.predicted = predicted;
      base.error_scale = (family.errors.*kind).scales[i];
    }
  }
  return base;
}

std::vector<PlacedError> errors_of(const Families& families, Kind kind) {
  std::vector<PlacedError> errors;
  for (const StepModel::Family& family : families) {
    for (std::size_t i = 0; i < family.observations.size(); ++i) {
      const Observation& one = family.observations[i];
      if (one.what.gpus == 1) continue;
      const double predicted = predicted_seconds(family, i, kind);
      for (const auto& [launch, seconds] : one.in_launch) {
        const Base base = base_of(one.what, launch, families, kind);
        if (base.is_known())
          errors.push_back({one.what, std::log(base.measured / seconds * predicted / base.predicted),
                            std::max(base.error_scale, (family.errors.*kind).scales[i])});
      }
    }
  }
  return errors;
}

// The errors on all other models, each predicted without itself and without this case's model.
std::vector<PlacedError> errors_without_model(const Families& families, const Case& what) {
  const auto has_its_model = [&](const Case& known) { return known.model == what.model; };
  return errors_of(StepModel::judged_by_model(without(observations_of(families), has_its_model)),
                   &ByBasis<HeldOut>::by_model);
}

}  // namespace

LocalErrors speedup_errors_of(const Families& families, Basis basis) {
  if (basis == Basis::roofline)
    return {errors_of(families, &ByBasis<HeldOut>::by_roofline), ErrorUnit::model};
  if (basis != Basis::fitted) return {errors_of(families, &ByBasis<HeldOut>::by_cell), ErrorUnit::cell};
  return {errors_of(families, &ByBasis<HeldOut>::by_model), ErrorUnit::model,
          [&](const Case& what) { return errors_without_model(families, what); }};
}

}  // namespace breakeven::predict
