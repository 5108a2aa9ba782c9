// SPDX-License-Identifier: Apache-2.0
// Which way to train a model is the fastest on a machine, from what was measured there: measured where the
// very case was, predicted (step_model.h) elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/predict/step_model.h"
#include "src/statistics/payoff.h"

namespace breakeven {

struct Question {
  std::string model;                     // by name or by its layers
  std::uint32_t batch = 0;               // global
  int most_gpus = 0;                     // 0: as many as were measured
  std::vector<std::string> precisions;   // empty: all that were measured
  bool with_lossy = false;               // strategies that do not compute what one GPU computes, too
  std::uint64_t memory_limit_bytes = 0;  // of a rank; 0: none
  bool only_predicted = false;  // also where the case was measured: for a scan whose other points cannot be
  double link_factor = 1;       // bytes of the exchange take 1 / factor of their time: a faster link
};

// One strategy on so many GPUs in one precision, for the question's model and batch.
struct Way {
  Case what;
  Interval seconds;  // of a step, 95 %
  bool is_measured = false;
  Basis basis = Basis::ceilings;  // of a prediction
  StepTerms parts{};              // of a prediction, or of what is predicted beside the measurement
  double samples_per_second = not_measured;
  Interval speedup;                       // over the fastest single GPU in the same precision
  Payoff verdict = Payoff::not_measured;  // of that interval
  double memory_bytes = not_measured;     // of a rank, predicted; samples not counted
  bool fits = true;
};

class Advisor {
 public:
  explicit Advisor(const Results& results);
  Advisor(const Advisor&) = delete;  // cases point into summaries

  // Those that fit first, the fastest first; independent copies are none, since they train other models. A
  // way that its strategy refuses for this model and batch is left out.
  std::vector<Way> ways(const Question& question) const;

  // Of the file's last launch; nothing where it measured no ceilings, or not what the case needs.
  std::optional<StepTerms> terms_of(const Case& what) const;

  const Results& results() const { return results_; }
  const StepModel& model() const { return model_; }
  const std::vector<MeasuredCase>& cases() const { return cases_; }
  int most_gpus() const { return most_gpus_; }

 private:
  std::optional<Way> way(const Question& question, Case what) const;
  const Results& results_;
  std::vector<CaseSummary> summaries_;
  std::vector<MeasuredCase> cases_;
  StepModel model_;
  int most_gpus_ = 1;
};

}  // namespace breakeven
