// SPDX-License-Identifier: Apache-2.0
#include "src/predict/step_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "src/core/model/model_shape.h"
#include "src/predict/speedup_errors.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

double log_parameters(const Case& what) { return std::log(double(what.model.value().parameters())); }

// The logarithm of measured over fitted on as many GPUs: by the batches of this model, if it was measured,
// else between the models of the nearest sizes.
struct Offset {
  double log = 0;
  bool is_of_model = false;
  double error_scale = 1;  // in the logarithm of the batch; 1 where the model was not measured
  double half_width = 0;   // of the measurements that it comes from
  bool is_tested = true;
};
Offset offset_at(const Case& what, const std::vector<Observation>& observations, const Factors& factors,
                 const IsOut& is_out = none_out) {
  const double x = std::log(what.batch);
  const auto offset_of = [&](const Observation& one) {
    return std::log(one.seconds / seconds_by(factors, one.terms));
  };
  KnownAt of_model, widths;  // by log batch
  for (const Observation& one : observations) {
    if (one.what.gpus != what.gpus || one.what.model != what.model || is_out(one.what)) continue;
    of_model[std::log(one.what.batch)] = offset_of(one);
    widths[std::log(one.what.batch)] = one.half_width;
  }
  if (!of_model.empty())
    return {.log = interpolate(x, of_model),
            .is_of_model = true,
            .error_scale = error_scale(x, of_model),
            .half_width = interpolate(x, widths),
            .is_tested = is_tested_at(x, of_model)};
  std::map<double, KnownAt> known;  // by log parameters, by log batch
  KnownAt batches, by_size;
  for (const Observation& one : observations) {
    if (one.what.gpus != what.gpus || is_out(one.what)) continue;
    const double batch = std::log(one.what.batch);
    known[log_parameters(one.what)][batch] = batches[batch] = offset_of(one);
  }
  if (known.empty()) return {};
  for (const auto& [size, by_batch] : known) by_size[size] = interpolate(x, by_batch);
  const double size = log_parameters(what);
  return {.log = interpolate(size, by_size),
          .is_tested = is_tested_at(size, by_size) && is_tested_at(x, batches)};
}

// Adds that of a fit without those that are out, with its offset; NaN where no other case tells of the model
// but should.
void add_error(const std::vector<Observation>& all, const IsOut& is_out, const Factors& factors,
               const Observation& one, bool is_model_known, HeldOut& errors) {
  const Offset offset = offset_at(one.what, all, factors, is_out);
  const bool is_known =
      !std::ranges::all_of(all, is_out, &Observation::what) && offset.is_of_model == is_model_known;
  const double error = std::log(one.seconds / seconds_by(factors, one.terms)) - offset.log;
  errors.add(is_known ? error : not_measured, offset.error_scale);
}

void judge_by_model(StepModel::Family& family) {
  std::map<std::string, Factors> without_model;
  for (const Observation& one : family.observations) {
    const IsOut is_out = [&](const Case& what) { return what.model == one.what.model; };
    const auto [factors, is_new] = without_model.try_emplace(one.what.model);
    if (is_new) factors->second = fit_factors(family.observations, family.prior, is_out);
    add_error(family.observations, is_out, factors->second, one, false, family.errors.by_model);
  }
}

void judge(StepModel::Family& family) {
  judge_by_model(family);
  for (const Observation& one : family.observations) {
    const IsOut is_out = [&](const Case& what) { return what == one.what; };
    add_error(family.observations, is_out, fit_factors(family.observations, family.prior, is_out), one, true,
              family.errors.by_cell);
    family.errors.by_roofline.add(std::log(one.seconds / seconds_by(family.prior, one.terms)), 1);
  }
}

}  // namespace

std::string_view name_of(Basis basis) {
  constexpr std::array<std::string_view, 5> names{"interpolated", "calibrated", "extrapolated", "fitted",
                                                  "roofline"};
  return names[static_cast<std::size_t>(basis)];
}

Prediction Prediction::by_factors(Basis basis, const Factors& factors, double offset,
                                  const StepTerms& terms) {
  Prediction prediction{.basis = basis};
  for (std::size_t i = 0; i < step_term_count; ++i) prediction.parts[i] = offset * factors[i] * terms[i];
  prediction.seconds = sum_of(prediction.parts);
  return prediction;
}

void Prediction::set_half_width(double of_logarithm) {
  low = seconds * std::exp(-of_logarithm);
  high = seconds * std::exp(of_logarithm);
}

statistics::Interval speedup_of(const Prediction& prediction, const Prediction& base, double half_width) {
  const double centre = base.seconds / prediction.seconds;
  return {centre, centre * std::exp(-half_width), centre * std::exp(half_width), 0};
}

StepModel::StepModel(const analysis::FileAnalysis& analysis) : StepModel(observations_of(analysis)) {}

StepModel::StepModel(std::vector<Observation> observations) { fit_all(std::move(observations), judge); }

std::vector<Observation> observations_of(const std::vector<StepModel::Family>& families) {
  std::vector<Observation> all;
  for (const StepModel::Family& family : families)
    std::ranges::copy(family.observations, std::back_inserter(all));
  return all;
}

std::vector<StepModel::Family> StepModel::judged_by_model(std::vector<Observation> observations) {
  StepModel model;
  model.fit_all(std::move(observations), judge_by_model);
  return std::move(model.families_);
}

void StepModel::fit_all(std::vector<Observation> observations, void (*judge)(Family&)) {
  for (Observation& one : observations) {
    auto family = std::ranges::find_if(
        families_, [&](const Family& known) { return is_same_family(known.key, one.what); });
    if (family == families_.end())
      family = families_.insert(families_.end(), Family{one.what, {}, {}, {}, {}});
    family->observations.push_back(std::move(one));
  }
  // The single GPU's factors first: the others begin with them.
  std::ranges::stable_partition(families_,
                                [](const Family& family) { return analysis::is_single_gpu(family.key); });
  for (Family& family : families_) {
    family.prior = prior_for(family.key);
    family.factors = fit_factors(family.observations, family.prior);
    judge(family);
  }
}

// The factors of the single GPU in the same precision, if it is fitted by now; a factor near 0 says nothing.
// Otherwise the roofline itself.
Factors StepModel::prior_for(const Case& what) const {
  Factors prior;
  prior.fill(1);
  constexpr double least = 0.1;
  for (const Family& family : families_) {
    if (!analysis::is_single_gpu(family.key) || family.key.precision != what.precision ||
        analysis::is_single_gpu(what))
      continue;
    for (std::size_t i = 0; i < index_of(StepTerm::latency); ++i)
      prior[i] = std::max(least, family.factors[i]);
  }
  return prior;
}

const StepModel::Family* StepModel::find(const Case& what) const {
  const auto family =
      std::ranges::find_if(families_, [&](const Family& known) { return is_same_family(known.key, what); });
  return family == families_.end() ? nullptr : &*family;
}

std::optional<Prediction> StepModel::predict(const Case& what, const StepTerms& terms,
                                             double least_scale) const {
  const Family* family = find(what);
  const bool precision_known = std::ranges::any_of(
      families_, [&](const Family& known) { return known.key.precision == what.precision; });
  if (family == nullptr && !precision_known) return std::nullopt;
  const Factors factors = family != nullptr ? family->factors : prior_for(what);
  const Offset offset = family != nullptr ? offset_at(what, family->observations, factors) : Offset{};
  const Basis basis = offset.is_of_model  ? Basis::calibrated
                      : family != nullptr ? Basis::fitted
                                          : Basis::roofline;
  Prediction prediction = Prediction::by_factors(basis, factors, std::exp(offset.log), terms);
  HeldOut errors;
  for (const Family& known : families_)
    if (family == nullptr || &known == family) {
      const HeldOut& own = known.errors.of(basis);
      for (std::size_t i = 0; i < own.log_errors.size(); ++i) errors.add(own.log_errors[i], own.scales[i]);
    }
  prediction.set_half_width(
      std::hypot(errors.half_width_at(std::max(offset.error_scale, least_scale)), offset.half_width));
  prediction.is_tested = offset.is_tested;
  return prediction;
}

double StepModel::speedup_half_width(const Case& what, const Case& base, Basis basis,
                                     double least_scale) const {
  double scale = basis == Basis::calibrated ? least_scale : 1, of_measurements = 0;
  if (basis == Basis::calibrated) {
    for (const Case& side : {what, base}) {
      const Family& family = *find(side);
      const Offset offset = offset_at(side, family.observations, family.factors);
      scale = std::max(scale, offset.error_scale);
      of_measurements = std::hypot(of_measurements, offset.half_width);
    }
  }
  std::optional<LocalErrors>& errors = speedup_errors_.of(basis);
  if (!errors) errors = speedup_errors_of(families_, basis);
  return std::hypot(scale * errors->half_width(what), of_measurements);
}

double StepModel::usual_scale() const {
  std::vector<double> scales;
  for (const Family& family : families_) {
    const HeldOut& errors = family.errors.by_cell;
    for (std::size_t i = 0; i < errors.scales.size(); ++i)
      if (std::isfinite(errors.log_errors[i])) scales.push_back(errors.scales[i]);
  }
  return scales.empty() ? 1 : statistics::mean(scales);
}

}  // namespace breakeven::predict
