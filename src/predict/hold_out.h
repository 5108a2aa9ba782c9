// SPDX-License-Identifier: Apache-2.0
// Cases on a number of GPUs predicted from those on fewer, as if they had not been measured.
#pragma once

#include <vector>

#include "src/predict/scale_model.h"

namespace breakeven {

struct HeldOutCase {
  Case what;
  Prediction predicted;
  Interval measured;  // seconds of a step
  double error() const { return predicted.seconds / measured.centre - 1; }
  bool is_inside() const { return predicted.low <= measured.centre && measured.centre <= predicted.high; }
};

struct HoldOutScore {
  double median_error = not_measured;  // of |predicted / measured - 1|
  double highest_error = not_measured;
  std::size_t inside = 0;  // of the cases whose measured mean lies within the predicted interval
};

// `model` is fitted to fewer GPUs (ScaleModel's most_gpus). Without cases that no family tells of.
std::vector<HeldOutCase> predict_held_out(const ScaleModel& model, int gpus);
HoldOutScore score_of(const std::vector<HeldOutCase>& cases);

}  // namespace breakeven
