// SPDX-License-Identifier: Apache-2.0
// The fastest configuration to train a model on a machine, from a file that was measured there: measured
// where that very case was, predicted (step_model.h) elsewhere. And its costs beside time: start-up and
// energy.
#pragma once

#include <optional>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/configuration.h"

namespace breakeven::predict {

class Advisor {
 public:
  explicit Advisor(const analysis::FileAnalysis& analysis);

  // Those that fit into memory first, the fastest first. Without independent copies, which train several
  // models, and without those that their strategy refuses for this model and batch.
  std::vector<Configuration> configurations(const Query& query) const;

  // Of the file's last launch; nothing if it measured no roofline, or not what the case needs.
  std::optional<StepTerms> terms_of(const Case& what) const;

  const Results& results() const { return analysis_.results(); }
  const StepModel& model() const { return model_; }
  const std::vector<analysis::MeasuredCase>& cases() const { return analysis_.cases(); }
  int most_gpus() const { return most_gpus_; }

 private:
  std::optional<Configuration> configuration(const Query& query, Case what) const;
  const analysis::FileAnalysis& analysis_;
  StepModel model_;
  int most_gpus_ = 1;
};

// Connecting, set-up and first step: of the case's own runs; else the mean, least and most of all similar
// cases: those with the same strategy, GPUs and settings, but another model or batch.
statistics::Interval start_seconds(const Configuration& config, const Advisor& advisor);

struct Energy {
  statistics::Interval joules_a_sample;  // of all its GPUs; NaN where no power is known
  bool is_measured = false;
  std::size_t runs = 0;     // if measured: those that recorded energy
  std::size_t of_runs = 0;  // if measured: all runs
};

// Measured: as the report gives it (summarize_energy). Else the power of similar cases that reach a similar
// share of the arithmetic roofline (within a factor of 1.5), times the seconds of a step; bounds by the least
// and the most of them and by the interval of the seconds.
Energy energy_of(const Configuration& config, const Advisor& advisor);

// A job of `samples` samples.
statistics::Interval job_seconds(const Configuration& config, double samples,
                                 const statistics::Interval& start);

}  // namespace breakeven::predict
