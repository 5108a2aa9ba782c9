// SPDX-License-Identifier: Apache-2.0
// The time of a step that was not measured, from those that were.
//
// A family is one strategy with its options, in one precision with one GEMM kernel, graph, data and
// transport. In each, a step's seconds are a sum of step_terms times factors fitted to the family's cases. If
// a model was measured at other batches on as many GPUs, the prediction is multiplied by measured over fitted
// there, interpolated linearly in the logarithm of the batch (interpolate.h). docs/predict.md has the errors
// on held-out cases.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/fit_factors.h"
#include "src/predict/held_out_errors.h"
#include "src/predict/interpolate.h"
#include "src/predict/observations.h"
#include "src/predict/step_terms.h"
#include "src/statistics/interval.h"

namespace breakeven::predict {

// What a prediction rests on, the best first.
enum class Basis {
  interpolated,  // no formula: between this configuration's measured batches (between_batches.h)
  calibrated,    // the model was measured at other batches, by the same strategy on as many GPUs
  extrapolated,  // the model was measured by the same strategy on fewer GPUs (extrapolate.h)
  fitted,        // the strategy was measured with other models
  roofline,      // none of these: the single GPU's factors and the exchange's formula
};
std::string_view name_of(Basis basis);

// What errors on this basis have in common.
constexpr ErrorUnit unit_of(Basis basis) {
  return basis < Basis::fitted ? ErrorUnit::cell : ErrorUnit::model;
}

template <typename Errors>
struct ByBasis {
  Errors by_cell{};      // one case held out, calibrated by the model's others
  Errors by_model{};     // all cases of a model held out
  Errors by_roofline{};  // the prior alone
  // Those that tell how good a prediction on this basis is.
  const Errors& of(Basis basis) const {
    if (basis == Basis::roofline) return by_roofline;
    return basis == Basis::fitted ? by_model : by_cell;
  }
  Errors& of(Basis basis) { return const_cast<Errors&>(std::as_const(*this).of(basis)); }
};

struct Prediction {
  double seconds = not_measured;
  double low = not_measured;  // 95 %, from the held-out errors of the same basis
  double high = not_measured;
  Basis basis = Basis::roofline;
  StepTerms parts{};      // that add up to the seconds
  bool is_tested = true;  // whether held-out cases tell of predictions so far from what was measured

  // `offset` is measured over fitted of similar cases. Without bounds.
  static Prediction by_factors(Basis basis, const Factors& factors, double offset, const StepTerms& terms);
  void set_half_width(double of_logarithm);
  statistics::Interval interval() const { return {seconds, low, high, 0}; }
};

// Base over prediction, as wide as `half_width` of the logarithm says; NaN: without bounds.
statistics::Interval speedup_of(const Prediction& prediction, const Prediction& base, double half_width);

class StepModel {
 public:
  // From whole steps where a case has them, else from phases, each case by its launch's own roofline.
  explicit StepModel(const analysis::FileAnalysis& analysis);
  explicit StepModel(std::vector<Observation> observations);

  // Nothing if there is no family with the case's precision, hence no factors.
  // The bounds are those of a place of at least `least_scale`.
  std::optional<Prediction> predict(const Case& what, const StepTerms& terms, double least_scale = 0) const;

  struct Family {
    Case key;  // any of its cases
    std::vector<Observation> observations;
    Factors prior;
    Factors factors;
    ByBasis<HeldOut> errors;
  };
  const std::vector<Family>& families() const { return families_; }
  const Family* find(const Case& what) const;  // null: none

  // The families of a fit to these observations. Of their errors only those by_model are known, because all
  // take many times as long.
  static std::vector<Family> judged_by_model(std::vector<Observation> observations);

  // Half of the 95 % interval of a speed-up over a single GPU, in the logarithm, whose two sides are
  // predicted on `basis` or a better one. NaN: not known.
  double speedup_half_width(const Case& what, const Case& base, Basis basis, double least_scale = 0) const;

  // The mean error_scale of the held-out cases by_cell: for terms that no case had, such as those of other
  // links, which a measurement at the same batch does not make more certain.
  double usual_scale() const;

 private:
  StepModel() = default;
  void fit_all(std::vector<Observation> observations, void (*judge)(Family&));
  Factors prior_for(const Case& what) const;

  std::vector<Family> families_;
  mutable ByBasis<std::optional<LocalErrors>> speedup_errors_;  // speedup_errors.h, once they were asked for
};

std::vector<Observation> observations_of(const std::vector<StepModel::Family>& families);

}  // namespace breakeven::predict
