// SPDX-License-Identifier: Apache-2.0
// The fastest configuration to train a model on a machine, from a file that was measured there: measured
// where that very case was, predicted (step_model.h) elsewhere; between measured batches where there is no
// formula (between_batches.h). And its costs beside time: start-up and energy.
#pragma once

#include <optional>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/between_batches.h"
#include "src/predict/configuration.h"

namespace breakeven::predict {

class Advisor {
 public:
  explicit Advisor(const analysis::FileAnalysis& analysis);

  // Those that fit into memory first, the fastest first. Without independent copies, which train several
  // models, and without those that their strategy refuses for this model and batch.
  std::vector<Configuration> configurations(const Query& query) const;

  // By the file's last launch with a roofline; nothing if there is none, or if it lacks what the case needs.
  std::optional<StepTerms> terms_of(const Case& what) const;

  // A case as if it had not been measured; nothing without its terms or its family.
  std::optional<Prediction> predict(const Case& what) const;

  const Results& results() const { return analysis_.results(); }
  const StepModel& model() const { return model_; }
  const BetweenBatches& between_batches() const { return between_batches_; }
  const RankMemory& memory() const { return memory_; }
  const std::vector<analysis::MeasuredCase>& cases() const { return analysis_.cases(); }
  int most_gpus() const { return most_gpus_; }
  // By the model's layers, else as the file has it; 0: neither is known.
  std::uint64_t parameters_of(const std::string& model) const;

 private:
  std::optional<Configuration> configuration(const Query& query, Case what) const;
  double least_scale_of(const Query& query) const;  // StepModel::predict
  // Of the query's model, in every configuration without a formula.
  std::vector<Configuration> interpolated(const Query& query, int most_gpus) const;
  const analysis::FileAnalysis& analysis_;
  StepModel model_;
  BetweenBatches between_batches_;
  RankMemory memory_;
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
