// SPDX-License-Identifier: Apache-2.0
#include "src/predict/step_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "src/core/axes.h"
#include "src/predict/interpolate.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

bool is_single(const Case& what) { return what.strategy == "single" && what.gpus == 1; }

// What the fit was off where the model was measured, at this batch; 0 where it was not.
struct Offset {
  double log = 0;
  bool is_known = false;
};
Offset offset_at(const Case& what, const std::vector<Observation>& observations, const Factors& factors) {
  const double x = std::log(what.batch);
  std::map<double, double> known;  // log batch, log of measured over fitted
  for (const Observation& one : observations) {
    if (!are_alike(one.what, what, {Axis::model, Axis::gpus, Axis::scaling})) continue;
    known[std::log(one.what.batch)] = std::log(one.seconds / seconds_by(factors, one.terms));
  }
  if (known.empty()) return {};
  return {interpolate(x, known), true};
}

std::vector<Observation> observe(const analysis::FileAnalysis& analysis) {
  std::vector<Observation> observations;
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const analysis::CaseSummary& timed = measured.timed();
    if (timed.done.empty() || !(timed.step.mean_seconds > 0)) continue;
    const Launch& launch = analysis.results().launches[timed.done.front()->launch];
    if (launch.roofline.empty()) continue;
    const auto terms = terms_of_case(timed.what, launch.roofline.front(), launch.message_times);
    const auto what = as_measured_by_name(measured.what, analysis.cases());
    if (terms && what) observations.push_back({*what, *terms, timed.step.mean_seconds});
  }
  return observations;
}

double log_error(double predicted, double measured) { return std::abs(std::log(predicted / measured)); }

std::vector<Observation> without(const std::vector<Observation>& all,
                                 const std::function<bool(const Case&)>& is_out) {
  std::vector<Observation> rest;
  std::ranges::copy_if(all, std::back_inserter(rest), [&](const auto& one) { return !is_out(one.what); });
  return rest;
}

void judge(StepModel::Family& family) {
  for (const Observation& one : family.observations) {
    const auto rest = without(family.observations, [&](const Case& what) { return what == one.what; });
    const Factors factors = fit_factors(rest, family.prior);
    const Offset offset = offset_at(one.what, rest, factors);
    if (offset.is_known) {
      const double predicted = std::exp(offset.log) * seconds_by(factors, one.terms);
      family.by_cell.errors.push_back(log_error(predicted, one.seconds));
    }
    const auto of_others =
        without(family.observations, [&](const Case& what) { return what.model == one.what.model; });
    if (!of_others.empty()) {
      const Factors others = fit_factors(of_others, family.prior);
      family.by_model.errors.push_back(log_error(seconds_by(others, one.terms), one.seconds));
    }
    family.by_roofline.errors.push_back(log_error(seconds_by(family.prior, one.terms), one.seconds));
  }
}

}  // namespace

std::optional<Case> as_measured_by_name(Case what, const std::vector<analysis::MeasuredCase>& cases) {
  if (what.chosen.empty()) return what;
  what.strategy = std::exchange(what.chosen, "");
  const bool is_known = std::ranges::find(cases, what, &analysis::MeasuredCase::what) != cases.end();
  return is_known ? std::nullopt : std::optional(what);
}

bool is_same_family(const Case& one, const Case& other) {
  using enum Axis;
  return are_alike(one, other, {strategy, precision, gemm, transport, nccl, graph, data});
}

std::string_view name_of(Basis basis) {
  switch (basis) {
    case Basis::calibrated:
      return "calibrated";
    case Basis::extrapolated:
      return "carried";
    case Basis::fitted:
      return "fitted";
    case Basis::roofline:
      return "ceilings";
  }
  return "";
}

double HeldOut::median() const { return breakeven::median(errors); }

double HeldOut::half_width() const {
  if (errors.size() < fewest_for_interval) return not_measured;
  double squares = 0;
  for (const double error : errors) squares += error * error;
  return t_quantile(errors.size() + 1) * std::sqrt(squares / static_cast<double>(errors.size()));
}

StepModel::StepModel(const analysis::FileAnalysis& analysis) : StepModel(observe(analysis)) {}

StepModel::StepModel(std::vector<Observation> observations) {
  for (Observation& one : observations) {
    auto family = std::ranges::find_if(
        families_, [&](const Family& known) { return is_same_family(known.key, one.what); });
    if (family == families_.end())
      family = families_.insert(families_.end(), Family{one.what, {}, {}, {}, {}, {}, {}});
    family->observations.push_back(std::move(one));
  }
  // The single GPU's factors first: the others begin with them.
  std::ranges::stable_partition(families_, [](const Family& family) { return is_single(family.key); });
  fit_all();
}

void StepModel::fit_all() {
  for (Family& family : families_) {
    family.prior = prior_for(family.key);
    family.factors = fit_factors(family.observations, family.prior);
    judge(family);
  }
}

// Of the single GPU in the same precision, if it is fitted by now; a factor that came out as nothing is no
// knowledge. The ceilings themselves otherwise.
Factors StepModel::prior_for(const Case& what) const {
  Factors prior;
  prior.fill(1);
  constexpr double least = 0.1;
  for (const Family& family : families_) {
    if (!is_single(family.key) || family.key.precision != what.precision || is_single(what)) continue;
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

std::optional<Prediction> StepModel::predict(const Case& what, const StepTerms& terms) const {
  const Family* family = find(what);
  const bool precision_known = std::ranges::any_of(
      families_, [&](const Family& known) { return known.key.precision == what.precision; });
  if (family == nullptr && !precision_known) return std::nullopt;
  const Factors factors = family != nullptr ? family->factors : prior_for(what);
  const Offset offset = family != nullptr ? offset_at(what, family->observations, factors) : Offset{};
  Prediction prediction;
  prediction.basis = offset.is_known     ? Basis::calibrated
                     : family != nullptr ? Basis::fitted
                                         : Basis::roofline;
  for (std::size_t i = 0; i < step_term_count; ++i)
    prediction.parts[i] = std::exp(offset.log) * factors[i] * terms[i];
  prediction.seconds = sum_of(prediction.parts);
  HeldOut errors;
  for (const Family& known : families_) {
    if (family != nullptr && &known != family) continue;
    const HeldOut& of_basis = prediction.basis == Basis::calibrated ? known.by_cell
                              : prediction.basis == Basis::fitted   ? known.by_model
                                                                    : known.by_roofline;
    errors.errors.insert(errors.errors.end(), of_basis.errors.begin(), of_basis.errors.end());
  }
  prediction.low = prediction.seconds * std::exp(-errors.half_width());
  prediction.high = prediction.seconds * std::exp(errors.half_width());
  return prediction;
}

}  // namespace breakeven
