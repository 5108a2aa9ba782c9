// SPDX-License-Identifier: Apache-2.0
#include "src/predict/step_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/core/axes.h"

namespace breakeven::predict {
namespace {

constexpr double weight_of_prior = 0.02;  // in observations that only this factor explains

// Alike in everything but model, batch, GPUs, scaling and timing.
bool is_same_family(const Case& one, const Case& other) {
  using enum Axis;
  return are_alike(one, other, {strategy, precision, gemm, transport, nccl, graph, data});
}

// Measured over fitted where the model was measured, at this batch; 0 where it was not.
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

// What `auto` chose, as a case of that strategy; nothing if that case was measured too.
std::optional<Case> without_auto(Case what, const std::vector<analysis::MeasuredCase>& cases) {
  if (what.chosen.empty()) return what;
  what.strategy = std::exchange(what.chosen, "");
  const bool is_known = std::ranges::find(cases, what, &analysis::MeasuredCase::what) != cases.end();
  return is_known ? std::nullopt : std::optional(what);
}

double log_error(double predicted, double measured) { return std::abs(std::log(predicted / measured)); }

template <typename IsOut>
std::vector<Observation> without(std::vector<Observation> all, IsOut is_out) {
  std::erase_if(all, [&](const Observation& one) { return is_out(one.what); });
  return all;
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

Factors fit_factors(std::span<const Observation> observations, const Factors& prior) {
  // In units of the prior: the normal equations (H + w) u = g + w.
  std::array<std::array<double, step_term_count>, step_term_count> h{};
  std::array<double, step_term_count> g{};
  for (const Observation& one : observations) {
    for (std::size_t i = 0; i < step_term_count; ++i) {
      const double x = one.terms[i] * prior[i] / one.seconds;
      g[i] += x;
      for (std::size_t j = 0; j < step_term_count; ++j) h[i][j] += x * one.terms[j] * prior[j] / one.seconds;
    }
  }
  std::array<double, step_term_count> u{};
  u.fill(1);
  constexpr int most_rounds = 20000;
  constexpr double small_change = 1e-10;
  double change = 1;
  for (int round = 0; round < most_rounds && change > small_change; ++round) {
    change = 0;
    for (std::size_t i = 0; i < step_term_count; ++i) {
      double others = 0;
      for (std::size_t j = 0; j < step_term_count; ++j) others += j == i ? 0 : h[i][j] * u[j];
      const double next = std::max(0.0, (g[i] + weight_of_prior - others) / (h[i][i] + weight_of_prior));
      change = std::max(change, std::abs(next - u[i]));
      u[i] = next;
    }
  }
  Factors factors;
  for (std::size_t i = 0; i < step_term_count; ++i) factors[i] = u[i] * prior[i];
  return factors;
}

double interpolate(double x, const std::map<double, double>& known) {
  const auto above = known.lower_bound(x);
  if (above == known.end()) return known.rbegin()->second;
  if (above == known.begin() || above->first == x) return above->second;
  const auto below = std::prev(above);
  const double share = (x - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

std::string_view name_of(Basis basis) {
  constexpr std::array<std::string_view, 4> names{"calibrated", "extrapolated", "fitted", "roofline"};
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

std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis,
                                         const TermsOfMeasured& terms_of) {
  std::vector<Observation> observations;
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const analysis::CaseSummary& timed = measured.timed();
    if (timed.done.empty() || !(timed.step.mean_seconds > 0)) continue;
    const auto terms = terms_of(measured, analysis.results().launches[timed.done.front()->launch]);
    const auto what = without_auto(measured.what, analysis.cases());
    if (terms && what) observations.push_back({*what, *terms, timed.step.mean_seconds});
  }
  return observations;
}

std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis) {
  return observations_of(analysis, [](const analysis::MeasuredCase& measured, const Launch& launch) {
    return terms_of_case(measured.what, launch);
  });
}

StepModel::StepModel(const analysis::FileAnalysis& analysis) : StepModel(observations_of(analysis)) {}

StepModel::StepModel(std::vector<Observation> observations) {
  for (Observation& one : observations) {
    auto family = std::ranges::find_if(
        families_, [&](const Family& known) { return is_same_family(known.key, one.what); });
    if (family == families_.end())
      family = families_.insert(families_.end(), Family{one.what, {}, {}, {}, {}, {}, {}});
    family->observations.push_back(std::move(one));
  }
  // The single GPU's factors first: the others begin with them.
  std::ranges::stable_partition(families_,
                                [](const Family& family) { return analysis::is_single_gpu(family.key); });
  fit_all();
}

void StepModel::fit_all() {
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

std::optional<Prediction> StepModel::predict(const Case& what, const StepTerms& terms) const {
  const Family* family = find(what);
  const bool precision_known = std::ranges::any_of(
      families_, [&](const Family& known) { return known.key.precision == what.precision; });
  if (family == nullptr && !precision_known) return std::nullopt;
  const Factors factors = family != nullptr ? family->factors : prior_for(what);
  const Offset offset = family != nullptr ? offset_at(what, family->observations, factors) : Offset{};
  const Basis basis = offset.is_known     ? Basis::calibrated
                      : family != nullptr ? Basis::fitted
                                          : Basis::roofline;
  Prediction prediction = Prediction::by_factors(basis, factors, std::exp(offset.log), terms);
  HeldOut errors;
  for (const Family& known : families_) {
    if (family != nullptr && &known != family) continue;
    const HeldOut& of_basis = basis == Basis::calibrated ? known.by_cell
                              : basis == Basis::fitted   ? known.by_model
                                                         : known.by_roofline;
    errors.errors.insert(errors.errors.end(), of_basis.errors.begin(), of_basis.errors.end());
  }
  prediction.set_half_width(errors.half_width());
  return prediction;
}

}  // namespace breakeven::predict
