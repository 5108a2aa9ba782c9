// SPDX-License-Identifier: Apache-2.0
// The time of a step that was not measured, from those that were.
//
// A family is one strategy with its options, in one precision with one kind of product, graph, data and
// transport. In each, a step's seconds are a sum of step_terms times factors fitted to the family's cases;
// where a model was measured at other batches on as many GPUs, the prediction is multiplied by what the fit
// was off there, between two batches by a line in the logarithm of the batch. docs/predict.md says how
// well that does on cases that were held out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/fit_factors.h"

namespace breakeven {

// What a prediction rests on, the best first.
enum class Basis {
  calibrated,    // the model was measured at other batches, by the same strategy on as many GPUs
  extrapolated,  // the model was measured by the same strategy on fewer GPUs (carry.h)
  fitted,        // the strategy was measured with other models
  roofline,      // neither: by the single GPU's factors and the exchange's formula
};
std::string_view name_of(Basis basis);

// Errors as |log(predicted / measured)| of cases that the fit has not seen.
struct HeldOut {
  std::vector<double> errors;
  double median() const;
  // Student's t times the root of the mean square: within so much 95 % of predictions should be. NaN for
  // fewer than three errors.
  double half_width() const;
};

struct Prediction {
  double seconds = not_measured;
  double low = not_measured;  // 95 %, from the held-out errors of the same basis
  double high = not_measured;
  Basis basis = Basis::roofline;
  StepTerms parts{};  // that add up to the seconds
};

// Alike in everything but model, batch, GPUs, scaling and instrument.
bool is_same_family(const Case& one, const Case& other);

// What `auto` chose is a case of that strategy; nothing where that case was measured itself.
std::optional<Case> as_measured_by_name(Case what, const std::vector<analysis::MeasuredCase>& cases);

class StepModel {
 public:
  // From whole steps where a case has them, else from phases, each case by its launch's own ceilings.
  explicit StepModel(const analysis::FileAnalysis& analysis);
  explicit StepModel(std::vector<Observation> observations);

  // Nothing where there is no family with the case's precision, and so no factor to go by.
  std::optional<Prediction> predict(const Case& what, const StepTerms& terms) const;

  struct Family {
    Case key;  // any of its cases
    std::vector<Observation> observations;
    Factors prior;
    Factors factors;
    HeldOut by_cell;      // one case held out, calibrated by the model's others
    HeldOut by_model;     // all cases of a model held out
    HeldOut by_roofline;  // of the prior alone
  };
  const std::vector<Family>& families() const { return families_; }

 private:
  void fit_all();
  const Family* find(const Case& what) const;
  Factors prior_for(const Case& what) const;

  std::vector<Family> families_;
};

}  // namespace breakeven
