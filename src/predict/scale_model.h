// SPDX-License-Identifier: Apache-2.0
// Configurations to train a model on numbers of GPUs that were not measured, on a machine of given levels.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/advisor.h"
#include "src/predict/extrapolate.h"
#include "src/predict/transport.h"

namespace breakeven::predict {

class ScaleModel {
 public:
  // Fitted to the cases on up to `most_gpus` GPUs (0: all) and to the calls of as many ranks, each with its
  // own launch's roofline and calls.
  // Where a strategy was measured on as many GPUs over the same links, predictions and their intervals are
  // those of `advise`. If it measured several numbers of GPUs, intervals on more are made of the errors on
  // the most of them, predicted from fewer.
  ScaleModel(const analysis::FileAnalysis& analysis, Machine machine, int most_gpus = 0);

  // On a number of GPUs that was measured, the strategies that were measured there, as `advise` has them.
  // Else every measured strategy in all meshes that it can have on `gpus` GPUs (meshes.h) and does not
  // refuse. The query's batch is the global one for strong scaling, that of each GPU for weak scaling. Those
  // that fit into memory first, the fastest first; compared with the fastest single GPU.
  std::vector<Configuration> configurations(const Query& query, Scaling scaling, int gpus) const;

  // A case on the machine as if it had not been measured; nothing without its family or its rates.
  std::optional<Prediction> predict(const Case& what) const;

  // The form of its longest call (transport.h), "" without one.
  std::string form_of_exchange(const Case& what) const;

  const std::map<std::string, TransportModel>& transports_known() const { return transports_; }
  const Machine& machine() const { return machine_; }
  const std::vector<analysis::MeasuredCase>& cases() const { return analysis_.cases(); }  // of the whole file
  int most_gpus() const { return most_gpus_; }
  bool has_roofline() const { return has_roofline_; }

  const FurtherErrors& further_errors() const { return further_errors_; }

 private:
  // Of the cases, without calibration of the intervals.
  struct Known {
    int most_gpus = 0;
    std::string without_model = {};
  };
  ScaleModel(const analysis::FileAnalysis& analysis, Machine machine, Known known);
  FurtherErrors find_further_errors() const;
  void add_further_errors(const ScaleModel& fewer, int gpus, Basis basis,
                          std::vector<FurtherError>& errors) const;
  double single_error(const Case& what, Basis basis) const;
  bool has_links_as_measured(int gpus) const;
  bool was_measured_on(int gpus, const Query& query) const;
  // For a strategy on as many GPUs as it was measured on, over the measured links; null elsewhere.
  const Advisor* advisor_for(const Case& what) const;
  bool was_measured_on(int gpus, const StepModel::Family& family) const;
  double speedup_half_width(const Configuration& config, const Configuration& base) const;

  Roofline roofline_of(const Launch& launch) const;
  std::optional<CallCosts> calls_of(const Launch& launch, Transport transport) const;
  std::optional<StepTerms> terms_as_measured(const analysis::MeasuredCase& measured,
                                             const Launch& launch) const;
  std::optional<StepTerms> terms_of(const Case& what) const;
  const TransportModel* transport_of(const Case& what) const;  // null: not known, or too many GPUs
  std::optional<Prediction> predict_by(const StepModel::Family& family, const Case& what) const;
  void add_configurations(const StepModel::Family& family, const Query& query, Case like,
                          std::vector<Configuration>& configs) const;

  const analysis::FileAnalysis& analysis_;
  Machine machine_;
  int most_gpus_;
  bool has_roofline_ = true;
  std::map<std::string, TransportModel> transports_;  // by name, of the last launch that measured it
  std::optional<StepModel> model_;
  RankMemory memory_;
  std::optional<Advisor> advisor_;  // none where only fewer GPUs than the file's are known
  FurtherErrors further_errors_;
};

// A case on some number of GPUs, predicted from those on fewer as if it had not been measured.
struct HeldOutCase {
  Case what;
  Prediction predicted;           // its interval is made of the errors on other models, if there are enough
  statistics::Interval measured;  // seconds of a step
  PlacedError placed_error() const { return {what, std::log(measured.centre / predicted.seconds)}; }
  double error() const { return predicted.seconds / measured.centre - 1; }
  bool is_inside() const { return predicted.low <= measured.centre && measured.centre <= predicted.high; }
};

struct HoldOutScore {
  double median_error = not_measured;  // of |predicted / measured - 1|
  double highest_error = not_measured;
  std::size_t inside = 0;           // cases whose measured mean is within the predicted interval
  statistics::Interval coverage{};  // their share (share_interval), each model one unit
};

// `model` is fitted to fewer GPUs (ScaleModel's most_gpus). Without cases that no family can predict.
std::vector<HeldOutCase> predict_held_out(const ScaleModel& model, int gpus);
HoldOutScore score_of(const std::vector<HeldOutCase>& cases);

}  // namespace breakeven::predict
