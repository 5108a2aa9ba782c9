// SPDX-License-Identifier: Apache-2.0
// Which way to train a model is the fastest on a machine, from what was measured there: measured where the
// very case was, predicted (step_model.h) elsewhere.
#pragma once

#include <optional>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/way.h"

namespace breakeven {

class Advisor {
 public:
  explicit Advisor(const analysis::FileAnalysis& analysis);

  // Those that fit first, the fastest first; independent copies are none, since they train other models. A
  // way that its strategy refuses for this model and batch is left out.
  std::vector<Way> ways(const Query& query) const;

  // Of the file's last launch; nothing where it measured no ceilings, or not what the case needs.
  std::optional<StepTerms> terms_of(const Case& what) const;

  const Results& results() const { return analysis_.results(); }
  const StepModel& model() const { return model_; }
  const std::vector<analysis::MeasuredCase>& cases() const { return analysis_.cases(); }
  int most_gpus() const { return most_gpus_; }

 private:
  std::optional<Way> way(const Query& query, Case what) const;
  const analysis::FileAnalysis& analysis_;
  StepModel model_;
  int most_gpus_ = 1;
};

}  // namespace breakeven
