// SPDX-License-Identifier: Apache-2.0
// Steps between the measured batches of a configuration, for cases without a formula: the models and
// strategies of programs that recorded themselves (docs/own-loop.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/step_model.h"

namespace breakeven::predict {

class BetweenBatches {
 public:
  explicit BetweenBatches(const analysis::FileAnalysis& analysis);

  bool is_empty() const { return lines_.empty(); }  // every case has a formula

  // Every configuration of the model that has no formula, at any of its batches.
  std::vector<Case> configurations_of(const std::string& model) const;

  // The logarithm of the step's seconds on a straight line between those of the two nearest measured batches,
  // in the logarithm of the batch. Nothing beyond the measured batches. Bounds from errors(), by their
  // scales.
  std::optional<Prediction> predict(const Case& what) const;

  // The errors of each measured batch that lies between two others, predicted from its neighbours.
  const HeldOut& errors() const { return errors_; }

 private:
  struct Line {
    Case key;
    KnownAt log_seconds{}, half_widths{};  // by the logarithm of the batch
  };
  std::vector<Line> lines_;
  HeldOut errors_;
};

}  // namespace breakeven::predict
